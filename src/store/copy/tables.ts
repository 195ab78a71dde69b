// The tables of an account, as a copy reads, hashes and writes them alike on both engines.

import { createHash, hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

import type { Compilable } from 'kysely';

import { commandOn } from '../address.ts';
import { damagedMemory } from '../check/on-read.ts';
import { withoutNul } from '../details/facets.ts';
import type { Engine } from '../engine.ts';
import { MEMORY_COLUMNS } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import { build, query, type Connection } from '../sql/query.ts';
import { rowSchemas } from '../sql/row-queries.ts';
import {
  ACCOUNT_TABLES,
  type AccountTableName,
  type Copied,
} from '../sql/tables/account-tables.ts';

/** Rows per page read, and per statement written. */
export const PAGE_ROWS = 1000;

/** The same of tables with bytes, whose rows can have megabytes. */
const LARGE_ROWS = 16;

type Row = Readonly<Record<string, unknown>>;

/** A database as a copy sees it. */
export interface CopySide {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly connection: Connection;
  readonly engine: Pick<Engine, 'explain'>;
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
const FACT_COLUMNS = MEMORY_COLUMNS.filter((column) => column !== 'slim' && column !== 'body');

function tablesOf(...copied: Copied[]): AccountTableName[] {
  const all = Object.entries(ACCOUNT_TABLES) as [AccountTableName, { copied: Copied }][];
  return all.filter(([, each]) => copied.includes(each.copied)).map(([table]) => table);
}

/** Yields the rows of an account page by page. Memories come without their bytes, but with hashes that the database computes. */
async function* pagesOf(side: CopySide, table: AccountTableName, account_id: string) {
  const own = build.selectFrom(table as 'memories').where('account_id', '=', account_id);
  const facts = own
    .select(FACT_COLUMNS)
    .select(({ fn }) => [
      fn('sha256', ['body']).as('of_body'),
      fn('sha256', ['slim']).as('of_slim'),
    ]);
  const key = ACCOUNT_TABLES[table].key as unknown as readonly ['id', 'name']; // one, two or three columns
  let all = (table === 'memories' ? facts : own.selectAll()) as typeof own;
  for (const column of key) all = all.orderBy(column);
  all = all.limit(table !== 'memories' && hasBytes(table) ? LARGE_ROWS : PAGE_ROWS);
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

function hasBytes(table: AccountTableName): boolean {
  const { entries } = rowSchemas[table as 'details'];
  return Object.values(entries).some(({ type }) => type === 'instance');
}

/** Replaces the target's rows of an account, except its memories, with those of the source. */
export async function replaceRows(
  source: CopySide,
  target: CopySide,
  account_id: string,
): Promise<void> {
  const tables = tablesOf('owner', 'unhashed', 'rest').filter((table) => table !== 'memories');
  // What keys have read there ends with the keys that are replaced.
  const reads = build.deleteFrom('key_reads').where('account_id', '=', account_id);
  await change(target, reads.where('key_id', 'is not', null));
  for (const table of tables.toReversed())
    await change(target, build.deleteFrom(table as 'changes').where('account_id', '=', account_id));
  for (const table of tables)
    for await (const page of pagesOf(source, table, account_id)) {
      // Each database numbers the entries in the logs of its accounts itself.
      const rows = table === 'account_events' ? page.map(({ seq: _, ...row }) => row) : page;
      await change(target, build.insertInto(table as 'changes').values(rows as never));
    }
}

/**
 * Reads and hashes a whole account on one side. `owner` is the digest of the tables that only its owner writes. For all
 * others stand the account's revision and the `run` of a source, which changes with each step. The last use of a key or
 * passkey does not count. Rejects with `Refusal` if a memory is damaged.
 */
export async function digestOf(side: CopySide, id: string) {
  const account = build.selectFrom('accounts').selectAll().where('id', '=', id);
  const owned: Row[] = await find(side, account);
  const counts = { keys: 0, memories: 0, changes: 0 };
  for (const table of tablesOf('owner'))
    for await (const page of pagesOf(side, table, id)) {
      if (table === 'api_keys') counts.keys += page.length;
      owned.push(...(table === 'api_keys' ? page.map(withoutScope) : page));
    }
  const values = owned.map(({ last_used_at: _, sign_count: __, ...row }) => Object.values(row));
  const owner = hash('sha256', JSON.stringify(values));
  const all = createHash('sha256').update(owner);
  let upserts = 0;
  for (const table of tablesOf('rest'))
    for await (const page of pagesOf(side, table, id))
      // Row by row, because pages may end at different rows on the two sides.
      for (const { of_body, of_slim, ...row } of page) {
        const isIntact = isHash(of_body, row['body_sha256']) && isHash(of_slim, row['slim_sha256']);
        if (table === 'memories' && !isIntact)
          throw damagedMemory(side.name, { account_id: id, id: row['id'] as string });
        all.update(`${lineOf(row)}\n`);
        if (table === 'memories' || table === 'changes') counts[table]++;
        if (row['change'] === 'upsert') upserts++;
      }
  // A damaged index can hide memories from every list, but the feed has each of them once.
  if (counts.memories !== upserts)
    throw new Refusal(
      `The memories of account ${id} in ${side.name} do not match its change feed; find the damage with: ${commandOn(side.name, 'verify')}`,
      { code: 'damaged' },
    );
  return { ...counts, owner, sha256: all.digest('hex') };
}

/** A key without a scope counts as it did in schemas without scopes, and one without facets as in those without these. */
function withoutScope(row: Row): Row {
  const { source, tags, ...plain } = row;
  if ((source ?? tags) !== null) return row;
  const { reads, started_after, started_before, ...key } = plain;
  return reads === 'all' && (started_after ?? started_before) === null ? key : plain;
}

function isHash(computed: unknown, sha256: unknown): boolean {
  return computed instanceof Uint8Array && Buffer.from(computed).toString('hex') === sha256;
}

/** Returns a row as JSON that is equal on both engines. Bytes count by their hash, as they may be long. */
export function lineOf(row: object): string {
  const values = Object.values(row).map((value) => {
    if (value instanceof Uint8Array) return hash('sha256', value);
    return typeof value === 'string' ? withoutNul(value) : value;
  });
  return JSON.stringify(values);
}
