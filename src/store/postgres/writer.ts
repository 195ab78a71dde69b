// The writing side of a PostgreSQL database: accounts, keys and memories, on one connection.

import type { Awaitable } from '../../contract/awaitable.ts';
import { accountWrites } from '../accounts.ts';
import type { Connection } from '../connection.ts';
import { notThere } from '../erased.ts';
import { keyWrites } from '../keys.ts';
import type { Query } from '../query.ts';
import type { Writer } from '../writer.ts';
import type { Client } from './asking.ts';
import { prepare } from './build.ts';
import { connect } from './driver.ts';
import { memoryWrites } from './memories.ts';
import { requireSchema } from './schema.ts';

/** How long a statement of a writer may take: a batch of an import, or a wait for another writer. */
const STATEMENT_MS = 60_000;

/** How long it waits for another writer of the same account, who holds it for a batch. */
const LOCK_MS = 10_000;

/** Opens a database for one piece of work and closes it whatever comes. Fails with `Refusal`. */
export async function withPostgresWriter<T>(
  address: string,
  work: (writer: Writer) => Awaitable<T>,
): Promise<T> {
  const connections = await connect(address, {
    connections: 2,
    statementMs: STATEMENT_MS,
    lockMs: LOCK_MS,
  });
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => work(writerOn(client)));
  } finally {
    await connections.close();
  }
}

function writerOn(client: Client): Writer {
  const connection = connectionTo(client);
  const { transaction } = connection;
  const accounts = accountWrites(connection);
  const memories = memoryWrites(client, connection);
  return {
    accounts,
    keys: keyWrites(connection),
    memories,
    transaction,
    erase: ({ account_id, ids }) =>
      transaction(async () => {
        await accounts.require(account_id);
        const missing: string[] = [];
        for (const id of new Set(ids))
          if (!(await memories.delete(account_id, id))) missing.push(id);
        if (missing.length > 0) throw notThere(account_id, missing);
        return false; // what is deleted stays in the files until they are cleared, and in the log
      }),
  };
}

/** A connection as writes see it; a transaction within another is a part of that one. */
export function connectionTo(client: Client): Connection {
  let isIn = false;
  return {
    hold<Wanted, Row>(query: Query<Wanted, Row>) {
      const prepared = prepare(query);
      const run = (values: Wanted) => {
        const { name, text, parameters } = prepared();
        return client.query<Row>({ name, text, values: parameters(values) });
      };
      return {
        get: async (values: Wanted) => (await run(values)).rows[0],
        all: async (values: Wanted) => (await run(values)).rows,
        run: async (values: Wanted) => (await run(values)).rowCount ?? 0,
      };
    },
    async transaction(work) {
      if (isIn) return work();
      isIn = true;
      try {
        await client.query('BEGIN');
        const result = await work();
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {}); // the connection may be what has failed
        throw error;
      } finally {
        isIn = false;
      }
    },
  };
}
