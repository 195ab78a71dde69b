// Writes accounts, keys and memories of a PostgreSQL database on one connection.

import type { Awaitable } from '../../lib/async.ts';
import { systemTime } from '../../lib/time.ts';
import { eraseMemories, removeOwner } from '../accounts/account-deletion.ts';
import { accountWrites, unknownAccount } from '../accounts/accounts.ts';
import { keyWrites } from '../accounts/api-keys.ts';
import { binWrites } from '../bin/bin.ts';
import { correctionWrites } from '../details/correct.ts';
import { rereadWrites } from '../details/reread.ts';
import type { Writer } from '../engine.ts';
import { pullWrites } from '../sources/pulls.ts';
import { sourceWrites } from '../sources/runs.ts';
import { sourceMemoryWrites } from '../sources/source-memories.ts';
import { watchedFileWrites } from '../sources/watched-files.ts';
import { query, type Connection, type NamedQuery, type Slot } from '../sql/query.ts';
import { deleteRows } from '../sql/row-queries.ts';
import { vectorWrites } from '../vectors/writes.ts';
import { memoryWrites } from './memories.ts';
import { requireSchema } from './migrations.ts';
import type { Client } from './servers/connection.ts';
import { connect } from './servers/connection.ts';
import { postgresQuery as build, prepare } from './statements.ts';

/** The timeout of a writing statement: a batch of an import, or a wait for another writer. */
const STATEMENT_MS = 60_000;

/** The lock timeout: another writer of the same account holds it for one batch. */
const LOCK_MS = 10_000;

/**
 * Waits for writes of the app to an account, so that what is counted or looked up stays true until the commit. It is
 * a lock of its own, because the app may lock no row of `accounts`.
 */
export const lockApp = query((slot: Slot<{ account_id: string }>) =>
  build.selectNoFrom((eb) => {
    const key = eb.fn('hashtextextended', [eb.val(slot('account_id')), eb.lit(0)]);
    return eb.fn('pg_advisory_xact_lock', [key]).as('locked');
  }),
);

const lockAccount = query((slot: Slot<{ id: string }>) =>
  build.selectFrom('accounts').select('id').where('id', '=', slot('id')).forUpdate(),
);

const journal = query((_: Slot<object>) =>
  build.selectNoFrom((eb) =>
    eb.fn<string | null>('to_regclass', [eb.val('memory_gateway.copies')]).as('name'),
  ),
);

const removeMemories = deleteRows('memories', ['account_id']);

/** Opens a database for one piece of work, and always closes it. Rejects with `Refusal`. */
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

/** Creates the writes on a connection. */
export function writerOn(client: Client): Writer {
  const connection = connectionTo(client);
  const { transaction } = connection;
  const accounts = accountWrites(connection);
  const memories = memoryWrites(client, connection);
  const lock = async (id: string) => {
    // Before the row, as the app does: a link or a star that is made now goes with its memory.
    await connection.prepare(lockApp).all({ account_id: id });
    if ((await connection.prepare(lockAccount).get({ id })) === undefined) throw unknownAccount(id);
  };
  const bin = binWrites({ connection, memories, lock });
  return {
    connection,
    accounts,
    keys: keyWrites(connection),
    memories,
    sources: sourceWrites(connection),
    pulls: pullWrites(connection),
    sourceMemories: sourceMemoryWrites(connection),
    watchedFiles: watchedFileWrites(connection),
    vectors: vectorWrites(connection),
    corrections: correctionWrites(connection, memories),
    rereads: rereadWrites(connection, memories),
    transaction,
    erase: (erased) =>
      transaction(async () => {
        await lock(erased.account_id); // before its memories, as imports do
        await eraseMemories(connection, erased, (id) => memories.delete(erased.account_id, id));
        return false; // deleted rows stay in the files until VACUUM, and in the write-ahead log
      }),
    bin,
    emptyBin: async (emptied) =>
      transaction(async () => ({ count: await bin.remove(emptied), erased: false })),
    eraseAccount: (id) =>
      transaction(async () => {
        await lock(id); // others who write this account wait, and then find that it is gone
        await connection.prepare(removeMemories).run({ account_id: id });
        const [found] = await connection.prepare(journal).all({});
        await removeOwner(connection, id, found?.name !== null);
        return false;
      }),
  };
}

/** Adapts a client to `Connection`. A nested transaction joins the outer one. */
export function connectionTo(client: Client, now: () => number = systemTime): Connection {
  let isIn = false;
  return {
    now,
    prepare<Wanted, Row>(wanted: NamedQuery<Wanted, Row>) {
      const prepared = prepare(wanted);
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
        await client.query('ROLLBACK').catch(() => {}); // the connection itself may have failed
        throw error;
      } finally {
        isIn = false;
      }
    },
  };
}
