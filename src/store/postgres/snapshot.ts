// The snapshot of a PostgreSQL database: its state at one moment, in one transaction that writes nothing.

import { list } from '../accounts.ts';
import { showDatabase } from '../address.ts';
import { boundsOf, inOrder, valuesOf } from '../bounds.ts';
import { BATCH_BYTES } from '../bytes.ts';
import { damaged, disordered, isWhole } from '../integrity.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Encoded, Position } from '../store.ts';
import type { Client } from './asking.ts';
import { connect } from './driver.ts';
import { listOf } from './lists.ts';
import { bytesOf } from './pages.ts';
import { requireSchema } from './schema.ts';
import { NOTHING } from './search.ts';
import { connectionTo } from './writer.ts';

/** How many memories are read in one go, where they are short. */
const MOST = 500;

const page = listOf({ order: 'asc', byState: false, bySearch: false, bytes: 'body' });

/**
 * Connects to a database for one piece of work that sees one state of it. Until then VACUUM keeps what
 * others replace and delete. Fails with `Refusal`.
 */
export function withPostgresSnapshot<T>(
  address: string,
  work: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  return inSnapshot(address, async (client) => {
    const accounts = await connectionTo(client).hold(list).all({});
    return work({ accounts, memories: (account_id) => memoriesOf(client, address, account_id) });
  });
}

/** Works on one connection in one transaction that sees one state and writes nothing, however long it takes. */
export async function inSnapshot<T>(
  address: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  // One for the look at the schema, and one for the work; a slow reader may take all the time it wants.
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
): AsyncGenerator<readonly Encoded[]> {
  const name = showDatabase(address);
  const held = connectionTo(client).hold(page);
  const range = { account_id, order: 'asc', bytes: 'body' } as const;
  const filters = { account_id, is_processing: 0, ...NOTHING };
  const isNext = inOrder(boundsOf(range), range.order);
  for (let after: Position | undefined; ;) {
    const values = { ...filters, ...valuesOf(boundsOf({ ...range, after })) };
    const rows = await held.all({ ...values, limit: MOST, maxBytes: BATCH_BYTES });
    const items = rows.flatMap(({ id, started_at, sha256, text }): Encoded[] => {
      if (id === null || started_at === null) return []; // there is a row also where there is none
      const bytes = bytesOf(text ?? '');
      const sought = { account_id, id, started_at };
      if (!isWhole(bytes, sha256, sought)) throw damaged(name, sought);
      if (!isNext(sought)) throw disordered(name, account_id);
      return [{ id, started_at, bytes }];
    });
    yield items;
    if (items.length === 0) return;
    after = items.at(-1);
  }
}
