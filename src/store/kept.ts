// Kept: the row of a memory, verified against the contract, its hashes and its columns.

import * as v from 'valibot';

import { fromJson } from '../contract/json.ts';
import { Memory } from '../contract/memory.ts';
import { named, RESTORE } from './finding.ts';
import { hasHash } from './integrity.ts';
import { toRow, type Row } from './rows.ts';

/** Reads the memory of a row, if it has one that holds the contract. */
export function memoryOf({ body }: Pick<Row, 'body'>): Memory | undefined {
  try {
    const { success, output } = v.safeParse(Memory, fromJson(body));
    return success ? output : undefined;
  } catch {
    return undefined; // not JSON, or no bytes at all
  }
}

/** Finds what is wrong with a row whose body is `memory`, of which an engine may keep some text otherwise. */
export function* rowFaults(
  row: Row,
  memory: Memory | undefined,
  asKept = (made: Row) => made,
): Generator<string> {
  const name = named(row);
  if (memory === undefined) {
    yield `${name} has a body that is no memory; ${RESTORE}.`;
    return;
  }
  const {
    body,
    body_sha256: _body,
    slim,
    slim_sha256: _slim,
    ...columns
  } = asKept(toRow(row.account_id, memory));
  if (!isSame(body, row.body))
    yield `${name} has a body that is not written as this program writes; ${RESTORE}.`;
  for (const bytes of ['body', 'slim'] as const)
    if (!hasHash(row[bytes], row[`${bytes}_sha256`]))
      yield `${name} has a ${bytes} that is not that of its hash; ${RESTORE}.`;
  if (memory.user_id !== row.account_id)
    yield `${name} has a body that says it is of another account; ${RESTORE}.`;
  const wrong = Object.entries(columns)
    .filter(([column, value]) => row[column as keyof Row] !== value)
    .map(([column]) => column);
  if (!isSame(slim, row.slim)) wrong.push('slim');
  if (wrong.length > 0)
    yield `${name} has a body that does not say what is in ${wrong.join(', ')}; ${RESTORE}.`;
}

function isSame(one: Uint8Array, other: unknown): boolean {
  return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
}
