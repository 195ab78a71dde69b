// Rows of memories, read one by one to be verified: each against the contract, its hash and its columns.

import type { Database } from 'better-sqlite3';
import * as v from 'valibot';

import { fromJson } from '../contract/json.ts';
import { Memory } from '../contract/memory.ts';
import { isSqliteError } from './file.ts';
import { named, RESTORE } from './finding.ts';
import { hold } from './held.ts';
import { hasHash } from './integrity.ts';
import { build, query, type Slot } from './query.ts';
import { COLUMNS, toRow, type Row } from './rows.ts';

/** A memory as it is kept, with its number. */
export interface KeptRow extends Row {
  readonly pk: number;
}

/** A memory that cannot be read, though its place is known. */
export interface LostRow {
  readonly pk: number;
  readonly account_id: string;
  readonly id: string;
  readonly lost: true;
}

const next = query((slot: Slot<{ pk: number }>) =>
  build
    .selectFrom('memories')
    .select(['pk', ...COLUMNS])
    .where('pk', '>', slot('pk'))
    .orderBy('pk')
    .limit(1),
);

const nextPlace = query((slot: Slot<{ pk: number }>) =>
  build
    .selectFrom('memories')
    .select(['pk', 'account_id', 'id'])
    .where('pk', '>', slot('pk'))
    .orderBy('pk')
    .limit(1),
);

/**
 * Reads all memories by their numbers, one at a time. What a damaged page has of one is passed over
 * where the next can be found; else it fails as SQLite does.
 */
export function* eachRow(db: Database): Generator<KeptRow | LostRow> {
  const held = { next: hold(db, next), place: hold(db, nextPlace) };
  for (let pk = -1; ;) {
    const row = read(pk);
    // In a damaged tree the number behind one may be smaller, and so for ever.
    if (row === undefined || !(row.pk > pk)) return;
    yield row;
    pk = row.pk;
  }

  function read(pk: number): KeptRow | LostRow | undefined {
    try {
      return held.next.get({ pk });
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      const place = held.place.get({ pk });
      if (place === undefined) throw error;
      return { ...place, lost: true };
    }
  }
}

/** Reads the memory of a row, if it has one that holds the contract. */
export function memoryOf({ body }: Pick<KeptRow, 'body'>): Memory | undefined {
  try {
    const { success, output } = v.safeParse(Memory, fromJson(body));
    return success ? output : undefined;
  } catch {
    return undefined; // not JSON, or no bytes at all
  }
}

/** Finds what is wrong with a row whose body is `memory`. */
export function* rowFaults(row: KeptRow, memory: Memory | undefined): Generator<string> {
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
  } = toRow(row.account_id, memory);
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
