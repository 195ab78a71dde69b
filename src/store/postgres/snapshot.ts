// Snapshots of a PostgreSQL database: one read-only transaction that sees a single state.

import { nameAccounts } from '../accounts/accounts.ts';
import { showDatabase } from '../address.ts';
import { BATCH_BYTES } from '../bytes.ts';
import { damagedMemory, brokenOrder, isIntact } from '../check/on-read.ts';
import type { ListFilters, Snapshot } from '../engine.ts';
import type { ListPosition } from '../positions.ts';
import { facetValues } from '../sql/facets.ts';
import { boundsOf, orderCheck, boundValues, shapeOf } from '../sql/lists.ts';
import type { NamedQuery } from '../sql/query.ts';
import type { EncodedEntry } from '../store.ts';
import { listWithFacets } from './facet-queries.ts';
import { listOf } from './list-queries.ts';
import { bytesOf } from './lists.ts';
import { requireSchema } from './migrations.ts';
import { NOTHING, readSought } from './search/search.ts';
import type { Client } from './servers/connection.ts';
import { connect } from './servers/connection.ts';
import { prepare } from './statements.ts';
import { connectionTo } from './writer.ts';

/** The most memories per statement. */
const MAX_MEMORIES = 500;

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
    return work({
      accounts,
      connection,
      memories: (account_id, filters) => memoriesOf(client, address, account_id, filters),
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
  client: Client,
  address: string,
  account_id: string,
  { order = 'asc', ...filters }: ListFilters = {},
): AsyncGenerator<readonly EncodedEntry[]> {
  const { q, is_processing, facets } = filters;
  const name = showDatabase(address);
  const range = { ...filters, account_id, order, projection: 'body' } as const;
  const sought = q === undefined ? NOTHING : readSought(q);
  if (sought === undefined) return; // it has no words
  const shape = { ...shapeOf(range, 'body'), projection: 'body' } as const;
  const page = facets ? listWithFacets(shape, facets.length) : listOf(shape);
  const held = connectionTo(client).prepare(page);
  const fixed = {
    account_id,
    is_processing: Number(is_processing ?? false),
    ...sought,
    ...facetValues(facets ?? []),
  };
  const isNext = orderCheck(boundsOf(range), range.order);
  for (let after: ListPosition | undefined; ;) {
    const values = { ...fixed, ...boundValues(boundsOf({ ...range, after })) };
    const rows = await held.all({ ...values, limit: MAX_MEMORIES, maxBytes: BATCH_BYTES });
    const items = rows.flatMap(({ id, started_at, sha256, text }): EncodedEntry[] => {
      if (id === null || started_at === null) return []; // the left join yields one row of nulls if there is no memory
      after = { id, started_at };
      if (facets !== undefined && sha256 === null) return [];
      const bytes = bytesOf(text ?? '');
      const place = { account_id, id, started_at, is_processing };
      if (!isIntact(bytes, sha256, place)) throw damagedMemory(name, place);
      if (!isNext(place)) throw brokenOrder(name, account_id);
      return [{ id, started_at, bytes }];
    });
    yield items;
    if (rows.every(({ id }) => id === null)) return;
  }
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
