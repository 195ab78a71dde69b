// Checks one row of the memories table: its body against the contract, its hashes, its columns.

import * as v from 'valibot';

import { fromJson } from '../../contract/json.ts';
import { Memory } from '../../contract/schemas/memory.ts';
import { toMemoryRow, type StoredMemory } from '../import/memory-row.ts';
import { memoryName, RESTORE } from './findings.ts';
import { matchesHash } from './on-read.ts';

/** Parses the body of a row. Returns undefined if it is not a valid memory. */
export function memoryOf({ body }: Pick<StoredMemory, 'body'>): Memory | undefined {
  try {
    const { success, output } = v.safeParse(Memory, fromJson(body));
    return success ? output : undefined;
  } catch {
    return undefined; // not JSON, or not even bytes
  }
}

/**
 * Yields the faults of a row whose parsed body is `memory`. `asStored` converts an expected row to the
 * form in which the engine returns it.
 */
export function* rowFaults(
  row: StoredMemory,
  memory: Memory | undefined,
  asStored = (made: StoredMemory) => made,
): Generator<string> {
  const name = memoryName(row);
  if (memory === undefined) {
    yield `${name} has a body that is not a valid memory; ${RESTORE}.`;
    return;
  }
  const {
    body,
    body_sha256: _body,
    slim,
    slim_sha256: _slim,
    ...columns
  } = asStored(toMemoryRow(row.account_id, memory));
  if (!isSame(body, row.body))
    yield `${name} has a body that this program would write differently; ${RESTORE}.`;
  for (const bytes of ['body', 'slim'] as const)
    if (!matchesHash(row[bytes], row[`${bytes}_sha256`]))
      yield `${name} has a ${bytes} that does not match its hash; ${RESTORE}.`;
  if (memory.user_id !== row.account_id)
    yield `${name} has a body that names another account; ${RESTORE}.`;
  const wrong = Object.entries(columns)
    .filter(([column, value]) => row[column as keyof StoredMemory] !== value)
    .map(([column]) => column);
  if (!isSame(slim, row.slim)) wrong.push('slim');
  if (wrong.length > 0)
    yield `${name} has a body that contradicts ${wrong.join(', ')}; ${RESTORE}.`;
}

function isSame(one: Uint8Array, other: unknown): boolean {
  return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
}
