// Snapshots of a PostgreSQL database: one read-only transaction that sees a single state.

import { nameAccounts } from '../accounts/accounts.ts';
import { showDatabase } from '../address.ts';
import { BATCH_BYTES } from '../bytes.ts';
import type { RecentChecks } from '../check/recent.ts';
import type { ListFilters, Snapshot } from '../engine.ts';
import type { ListPosition } from '../positions.ts';
import type { NamedQuery } from '../sql/query.ts';
import type { EncodedEntry } from '../store.ts';
import { bytesOf, pagesOf } from './lists.ts';
import { requireSchema } from './migrations.ts';
import type { ServerRead } from './reads.ts';
import type { Client, ConnectionPool } from './servers/connection.ts';
import { connect } from './servers/connection.ts';
import { prepare, type Prepared } from './statements.ts';
import { connectionTo } from './writer.ts';

/** Every memory is read once, so no check is repeated. */
const CHECKS: RecentChecks = { passes: (_, check) => check() };

/**
 * Runs work on a snapshot. While it is open, VACUUM cannot remove rows that others replace or delete.
 * Rejects with `Refusal`.
 */
export function withPostgresSnapshot<T>(
  address: string,
  work: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  return inSnapshot(address, async (client) => {
    const connection = connectionTo(client);
    const accounts = await connection.prepare(nameAccounts).all({});
    const run: ConnectionPool['query'] = async <Values, Row>(
      { name, text, parameters }: Prepared<Values, Row>,
      values: Values,
    ) => (await client.query<Row>({ name, text, values: parameters(values) })).rows;
    const pages = pagesOf(run, showDatabase(address), CHECKS);
    return work({
      accounts,
      connection,
      memories: (account_id, filters) => memoriesOf(pages, account_id, filters),
    });
  });
}

/** Runs work in one read-only transaction, without a time limit. */
export async function inSnapshot<T>(
  address: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  // One connection for the schema check, one for the work. No timeout, because the consumer may be slow.
  const connections = await connect(address, { connections: 2, statementMs: 0 });
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    });
  } finally {
    await connections.close();
  }
}

async function* memoriesOf(
  { items }: ServerRead<'items'>,
  account_id: string,
  { order = 'asc', ...filters }: ListFilters = {},
): AsyncGenerator<readonly EncodedEntry[]> {
  const range = { ...filters, account_id, order, projection: 'body' } as const;
  let after: ListPosition | undefined;
  do {
    const batch = await items({ ...range, after }, BATCH_BYTES);
    yield batch.items.map(({ bytes, ...place }) => ({
      ...place,
      bytes: typeof bytes === 'string' ? bytesOf(bytes) : bytes,
    }));
    after = batch.rest;
  } while (after !== undefined);
}

/** Yields the rows of a query through a cursor. Needs a transaction, and one query at a time. */
export async function* rowsOf<Row extends object>(
  client: Client,
  query: NamedQuery<object, Row>,
  atOnce = 1000,
): AsyncGenerator<Row> {
  const { text, parameters } = prepare(query)();
  await client.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, parameters({}));
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${atOnce} FROM found`);
    yield* rows;
    if (rows.length < atOnce) break;
  }
  await client.query('CLOSE found');
}
