// The two databases of a copy, and the tables of an account: read, hashed and written alike on both engines.

import { createHash, hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

import type { Compilable } from 'kysely';

import { commandOn } from '../address.ts';
import { damagedMemory } from '../check/on-read.ts';
import type { Engine } from '../engine.ts';
import { MEMORY_COLUMNS, type StoredMemory } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import { scopeOf, type ScopeColumns } from '../scope.ts';
import { build, query, type Connection } from '../sql/query.ts';

/** Rows per page read, and per statement written. */
export const PAGE_ROWS = 1000;

/** The same of tables whose rows can have megabytes. */
const LARGE_ROWS = 16;

/**
 * The tables of an account with the columns that order their rows. A table that others refer to comes before them.
 * What only the app makes is not copied, except bookmarks and saved searches: everybody signs in again, clients ask again, links to memories are shared again,
 * and sources of the app, whose keys only the key file beside the source opens, are set up again. Totals are not
 * copied either: triggers sum them up.
 */
const TABLES = {
  api_keys: ['key_sha256'],
  passkeys: ['id'],
  passwords: ['hash'],
  account_events: ['seq'],
  changes: ['seq'],
  change_epochs: ['first_seq'],
  sources: ['name'],
  source_memories: ['source', 'memory_id'],
  watched_files: ['source', 'path'],
  originals: ['sha256'],
  details: ['memory_id'],
  facets: ['memory_id', 'kind', 'folded'],
  action_items: ['memory_id', 'number'],
  corrections: ['id'],
  deleted_memories: ['memory_id'],
  uncorrected: ['memory_id'],
  bookmarks: ['memory_id'],
  searches: ['name'],
  vector_signs: ['memory_id'],
  vector_values: ['memory_id'],
  memories: ['id'],
} as const;

type OwnedTable = keyof typeof TABLES;
type Row = Readonly<Record<string, unknown>>;

/** A database as a copy sees it. */
export interface CopySide {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly connection: Connection;
  readonly engine: Pick<Engine, 'explain'>;
}

/** The contents of one account, or of all of them. */
export interface Contents {
  readonly keys: number;
  readonly memories: number;
  readonly changes: number;
  /** Covers all rows. It covers the bytes of memories through the hashes in their rows, which are verified. */
  readonly sha256: string;
}

/** Reads the rows of a query. An error names the database of this side. */
export async function find<Found>(side: CopySide, wanted: Compilable<Found>): Promise<Found[]> {
  try {
    return await side.connection.prepare(query(() => wanted)).all({});
  } catch (error) {
    throw await side.engine.explain(error);
  }
}

/** Runs a write. Resolves with the number of changed rows. */
export async function change({ connection }: CopySide, write: Compilable): Promise<number> {
  return connection.prepare(query(() => write)).run({});
}

/** The columns of a memory's row without its bytes. */
export const FACT_COLUMNS = MEMORY_COLUMNS.filter(
  (column): column is Exclude<keyof StoredMemory, 'slim' | 'body'> =>
    column !== 'slim' && column !== 'body',
);

const BYTES = ['body', 'slim'] as const;

/** The tables with long columns. */
const LONG: ReadonlySet<OwnedTable> = new Set([
  'originals',
  'details',
  'deleted_memories',
  'uncorrected',
  'vector_signs',
  'vector_values',
]);

/** Returns the facts of a memory as JSON that is equal on both engines. PostgreSQL stores U+0000 as U+2400. */
export function factsOf(row: Row): string {
  const values = FACT_COLUMNS.map((column) => row[column]);
  return JSON.stringify(
    values.map((fact) => (typeof fact === 'string' ? fact.replaceAll('\0', '\u2400') : fact)),
  );
}

/** Yields the rows of an account page by page. Memories come without their bytes, but with hashes that the database computes. */
async function* pagesOf(side: CopySide, table: OwnedTable, account_id: string) {
  const own = build.selectFrom(table as 'memories').where('account_id', '=', account_id);
  const facts = own
    .select(FACT_COLUMNS)
    .select((eb) => BYTES.map((column) => eb.fn('sha256', [column]).as(`sha256_of_${column}`)));
  let all = (table === 'memories' ? facts : own.selectAll()) as typeof own;
  const key = TABLES[table] as unknown as readonly ['id', 'name']; // one, two or three columns
  for (const column of key) all = all.orderBy(column);
  all = all.limit(LONG.has(table) ? LARGE_ROWS : PAGE_ROWS);
  for (let wanted = all; ;) {
    const page: Row[] = await find(side, wanted);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    const values = key.map((column) => last[column]) as [string, string];
    wanted = all.where((eb) => eb(eb.refTuple(...key), '>', eb.tuple(...values)));
    await turn(); // SQLite is synchronous: without a turn, progress and signals would wait
  }
}

/** Replaces the target's rows of an account, except its memories, with those of the source. */
export async function replaceRows(
  target: CopySide,
  account_id: string,
  source?: CopySide,
): Promise<void> {
  const { memories: _, ...others } = TABLES;
  const tables = Object.keys(others) as (keyof typeof others)[];
  for (const table of tables.toReversed())
    await change(target, build.deleteFrom(table as 'changes').where('account_id', '=', account_id));
  if (source === undefined) return;
  for (const table of tables)
    for await (const page of pagesOf(source, table, account_id)) {
      // Each database numbers the entries in the logs of its accounts itself.
      const rows =
        table === 'account_events' ? page.map((row) => ({ ...row, seq: undefined })) : page;
      await change(target, build.insertInto(table as 'changes').values(rows as never));
    }
}

/**
 * Hashes an account and what its owner has set up. Its revision represents its memories, and the `run` of a source,
 * which changes with each step, its other tables. The last use of a key or passkey does not count.
 */
export async function ownerDigest(side: CopySide, id: string) {
  const rows: Row[] = await find(
    side,
    build.selectFrom('accounts').selectAll().where('id', '=', id),
  );
  let keys = 0;
  for (const table of [
    'api_keys',
    'passkeys',
    'passwords',
    'sources',
    'bookmarks',
    'searches',
  ] as const)
    for await (const page of pagesOf(side, table, id)) {
      if (table === 'api_keys') keys += page.length;
      rows.push(...page.map((row) => (table === 'api_keys' ? withoutScope(row) : row)));
    }
  const values = rows.map(({ last_used_at: _, sign_count: __, ...row }) => Object.values(row));
  return { keys, sha256: hash('sha256', JSON.stringify(values)) };
}

/** A key without a scope counts as it did in schemas without scopes, and one without facets as in those without these. */
function withoutScope({ reads, started_after, started_before, source, tags, ...key }: Row): Row {
  const scope = { reads, started_after, started_before };
  const facets = (source ?? tags) === null ? {} : { source, tags };
  const isScoped = scopeOf({ ...scope, source, tags } as ScopeColumns) !== undefined;
  return isScoped ? { ...key, ...scope, ...facets } : key;
}

/** The tables of details. Those of memories without details are empty, so they do not count in the hash of older copies. */
const DETAIL_TABLES = [
  'originals',
  'details',
  'facets',
  'action_items',
  'corrections',
  'deleted_memories',
  'uncorrected',
] as const;

/** Returns the values of a row. Bytes may be long, so they count by their hash. */
function valuesOf(row: Row): unknown[] {
  return Object.values(row).map((value) =>
    value instanceof Uint8Array ? hash('sha256', value) : value,
  );
}

/** Reads and hashes a whole account on one side, its `owner` also alone. Rejects with `Refusal` if a memory is damaged. */
export async function digestOf(
  side: CopySide,
  account_id: string,
): Promise<Contents & { readonly owner: string }> {
  const { keys, sha256: owner } = await ownerDigest(side, account_id);
  const all = createHash('sha256').update(owner);
  const count = { memories: 0, changes: 0 };
  let upserts = 0;
  for (const table of [
    'memories',
    'changes',
    'change_epochs',
    'source_memories',
    'watched_files',
    ...DETAIL_TABLES,
    'vector_signs',
    'vector_values',
  ] as const)
    for await (const page of pagesOf(side, table, account_id))
      // Row by row, because pages may end at different rows on the two sides.
      for (const row of page) {
        if (table === 'memories' && !isIntact(row))
          throw damagedMemory(side.name, { account_id, id: row['id'] as string });
        all.update(`${table === 'memories' ? factsOf(row) : JSON.stringify(valuesOf(row))}\n`);
        if (table === 'memories' || table === 'changes') count[table]++;
        if (row['change'] === 'upsert') upserts++;
      }
  // A damaged index can hide memories from every list, but the feed has each of them once.
  if (count.memories !== upserts)
    throw new Refusal(
      `The memories of account ${account_id} in ${side.name} do not match its change feed; find the damage with: ${commandOn(side.name, 'verify')}`,
      { code: 'damaged' },
    );
  return { keys, ...count, owner, sha256: all.digest('hex') };
}

function isIntact(row: Row): boolean {
  return BYTES.every((column) => {
    const computed = row[`sha256_of_${column}`];
    return (
      computed instanceof Uint8Array &&
      Buffer.from(computed).toString('hex') === row[`${column}_sha256`]
    );
  });
}
