// The two databases of a copy, and the tables that it reads and writes row by row, on both engines alike.

import { setImmediate as turn } from 'node:timers/promises';

import type { Compilable, Selectable } from 'kysely';

import type { Awaitable } from '../../lib/async.ts';
import type { PreparedMemory } from '../import/memory-row.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import type { Tables } from '../sql/tables.ts';

/** Rows per page read, and per statement written. */
export const PAGE_ROWS = 1000;

/**
 * The tables of an account besides its memories, each with the columns that order its rows, and values before all of
 * theirs. A table that others refer to comes before them. Sessions and grants are not copied: everybody signs in
 * again, and clients ask again.
 */
const OWNED = {
  api_keys: { key_sha256: '' },
  passkeys: { id: '' },
  passwords: { hash: '' },
  account_events: { seq: 0 },
  changes: { seq: 0 },
  change_epochs: { first_seq: 0 },
  sources: { name: '' },
  source_memories: { source: '', memory_id: '' },
  watched_files: { source: '', path: '' },
} as const;

/** A table of an account. */
export type OwnedTable = keyof typeof OWNED;

/** A database as a copy sees it. */
export interface CopySide {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly connection: Connection;
}

/** What an engine gives to a copy that writes to it. */
export interface CopyWrites {
  readonly connection: Connection;
  /** Creates the table of the journal if it does not exist. */
  createJournalTable(): Awaitable<unknown>;
  /** Writes memories of existing accounts. Triggers update feed, revision and search index. */
  put(memories: readonly PreparedMemory[]): Awaitable<unknown>;
  delete(account_id: string, id: string): Awaitable<unknown>;
}

/** A database that a copy writes to. */
export interface CopyTarget extends CopySide, CopyWrites {}

/** Reads the rows of a query. */
export async function find<Row>(side: CopySide, wanted: Compilable<Row>): Promise<Row[]> {
  return side.connection.prepare(query((_: Slot<object>) => wanted)).all({});
}

/** Runs a write. Resolves with the number of changed rows. */
export async function change(side: CopySide, write: Compilable): Promise<number> {
  return side.connection.prepare(query((_: Slot<object>) => write)).run({});
}

/** Stands for the columns of any key, which are one or two. */
type Pair = ['id', 'label'];

/** Yields the rows of a table that belong to an account, page by page. */
export function rowsOf<T extends OwnedTable>(side: CopySide, table: T, account_id: string) {
  const key = Object.keys(OWNED[table]);
  const read = (after: Readonly<Record<string, unknown>>) => {
    const last = key.map((column) => after[column]);
    const page = build
      .selectFrom(table as 'api_keys')
      .selectAll()
      .where('account_id', '=', account_id)
      .where((eb) => eb(eb.refTuple(...(key as Pair)), '>', eb.tuple(...(last as Pair))))
      .limit(PAGE_ROWS);
    return find(
      side,
      key.reduce((rows, column) => rows.orderBy(column as 'id'), page),
    );
  };
  return pages(read as (after: object) => Promise<object[]>, OWNED[table]) as AsyncGenerator<
    readonly Selectable<Tables[T]>[]
  >;
}

/** Yields pages of rows. `read` gets the last row of the page before. */
export async function* pages<Row extends First, First extends object>(
  read: (after: First) => Promise<Row[]>,
  first: First,
): AsyncGenerator<readonly Row[]> {
  for (let after = first; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = last;
    await turn(); // SQLite is synchronous: without a turn, progress and signals would wait
  }
}

/** Replaces the target's rows of an account, except its memories, with those of the source. */
export async function replaceRows(target: CopySide, id: string, source?: CopySide): Promise<void> {
  const tables = Object.keys(OWNED) as OwnedTable[];
  for (const table of tables.toReversed())
    await change(target, build.deleteFrom(table as 'api_keys').where('account_id', '=', id));
  if (source === undefined) return;
  for (const table of tables)
    for await (const page of rowsOf(source, table, id)) {
      // Each database numbers the entries in the logs of its accounts itself.
      const rows =
        table === 'account_events' ? page.map((row) => ({ ...row, seq: undefined })) : page;
      await change(
        target,
        build.insertInto(table as 'api_keys').values(rows as Selectable<Tables['api_keys']>[]),
      );
    }
}
