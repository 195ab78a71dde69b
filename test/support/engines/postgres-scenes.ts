// Accounts in a PostgreSQL database that random histories write, back up and restore.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import { connectGateway } from '../../../src/gateway/open.ts';
import type { Writer } from '../../../src/store/engine.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { connect, type Client } from '../../../src/store/postgres/servers/connection.ts';
import type { Scene } from '../model/feed-history.ts';
import { issued } from '../world/artifacts.ts';

/** The tables with the state of an account. An account's row holds its revision. */
const TABLES = ['accounts', 'memories', 'changes', 'change_epochs'] as const;

/**
 * Rows of backups. A restore of a history brings the rows of its account back, because `pg_restore` takes
 * seconds and there are thousands of restores. For the account it is the same: `pg_dump` holds these rows,
 * its feed is in them alone, and no sequence takes part, because changes are counted from the rows.
 */
const KEPT = `CREATE SCHEMA kept;
${TABLES.map((name) => `CREATE TABLE kept.${name} AS SELECT 0 AS backup, * FROM memory_gateway.${name} WHERE false`).join(';')}`;

/** Two writers, each with a connection of its own, and a connection of the owner. */
interface Lane {
  readonly writers: readonly [Writer, Writer];
  readonly owner: Client;
}

/** Returns a function that runs work on an account of its own, for so many calls at the same time. */
export async function createPostgresScenes(t: TestContext, database: string, lanes: number) {
  const gateway = await connectGateway({ database });
  t.after(() => gateway.close());
  const openLane = async (): Promise<Lane> => ({
    writers: [await openWriter(t, database), await openWriter(t, database)],
    owner: await openClient(t, database),
  });
  const free = await Promise.all(Array.from({ length: lanes }, openLane));
  await free[0]?.owner.query(KEPT);
  let accounts = 0;
  let backups = 0;

  async function backUp(owner: Client, account_id: string) {
    const backup = ++backups;
    const copies = TABLES.map((name) => {
      const id = name === 'accounts' ? 'id' : 'account_id';
      return `INSERT INTO kept.${name} SELECT ${backup}, * FROM memory_gateway.${name} WHERE ${id} = '${account_id}'`;
    });
    await owner.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join(';')}; COMMIT`);
    return async () => void (await owner.query(restoring(account_id, backup)));
  }

  async function createScene({ writers, owner }: Lane): Promise<Scene> {
    const account_id = `a${++accounts}`;
    const [{ accounts: create, keys }] = writers;
    await create.create({ id: account_id, name: account_id, created_by: 'command line' });
    const { key } = await keys.create({ account_id, label: 'test', expires_at: null });
    return {
      account_id,
      key: issued(key),
      send: (request) => gateway.fetch(request),
      writers: () => writers,
      database: () => database,
      backUp: () => backUp(owner, account_id),
    };
  }

  return async <T>(work: (scene: Scene) => Promise<T>): Promise<T> => {
    const lane = free.pop() ?? assert.fail(`more than ${lanes} at the same time`);
    try {
      return await work(await createScene(lane));
    } finally {
      free.push(lane);
    }
  };
}

/** The statements that bring the rows of an account back, without the triggers that would note changes. */
function restoring(account_id: string, backup: number): string {
  const [, ...tables] = TABLES;
  const statements = tables.flatMap((name) => [
    `DELETE FROM memory_gateway.${name} WHERE account_id = '${account_id}'`,
    `INSERT INTO memory_gateway.${name} SELECT (k.was).* FROM (
       SELECT jsonb_populate_record(NULL::memory_gateway.${name}, to_jsonb(k)) AS was
       FROM kept.${name} AS k WHERE backup = ${backup}
     ) AS k`,
  ]);
  return `BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE memory_gateway.accounts AS a SET revision = k.revision
FROM kept.accounts AS k WHERE k.backup = ${backup} AND a.id = k.id;
${statements.join(';')};
COMMIT`;
}

/** Opens a writer until the test ends. */
async function openWriter(t: TestContext, database: string): Promise<Writer> {
  const opened = Promise.withResolvers<Writer>();
  const ended = Promise.withResolvers<void>();
  const closed = engineOf(database).withWriter((writer) => {
    opened.resolve(writer);
    return ended.promise;
  });
  closed.catch(opened.reject);
  t.after(() => {
    ended.resolve();
    return closed;
  });
  return opened.promise;
}

/** Opens a connection of the owner until the test ends. */
async function openClient(t: TestContext, database: string): Promise<Client> {
  const connections = await connect(database, { connections: 1 });
  const opened = Promise.withResolvers<Client>();
  const ended = Promise.withResolvers<void>();
  const closed = connections.withClient((client) => {
    opened.resolve(client);
    return ended.promise;
  });
  closed.catch(opened.reject);
  t.after(async () => {
    ended.resolve();
    await closed;
    await connections.close();
  });
  return opened.promise;
}
