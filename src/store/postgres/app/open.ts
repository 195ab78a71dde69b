// The app's store on PostgreSQL: each call is a transaction that names its account or secret, and that it is the app's.

import { systemTime } from '../../../lib/time.ts';
import type { AppAccess, VisibleRows } from '../../app/access.ts';
import type { AppStore } from '../../app/app-store.ts';
import { createAppStore } from '../../app/create.ts';
import type { Connection } from '../../sql/query.ts';
import { query, type Slot } from '../../sql/query.ts';
import { isConnectionLost } from '../errors.ts';
import { requireSchema } from '../migrations.ts';
import { connect, type ConnectionPool } from '../servers/connection.ts';
import { postgresQuery as build, prepare, SCHEMA } from '../statements.ts';
import { connectionTo, lockApp } from '../writer.ts';

/** How many connections the app uses. Its statements are short and rare. */
const CONNECTIONS = 4;

/** Begins a transaction of the app: from here on triggers refuse writes to other tables, whoever the user is. */
const enter = query((slot: Slot<{ account_id: string; secret: string }>) =>
  build.selectNoFrom((eb) => {
    const set = (name: string, value: ReturnType<typeof eb.val<string>>) =>
      eb.fn<string>('set_config', [eb.val(`memory_gateway.${name}`), value, eb.lit(true)]).as(name);
    return [
      set('app', eb.val('on')),
      set('account_id', eb.val(slot('account_id'))),
      set('secret', eb.val(slot('secret'))),
    ];
  }),
);

/** Whether the user may write, on this server. */
const mayWrite = prepare(
  query((_: Slot<object>) =>
    build.selectNoFrom((eb) => {
      const sessions = eb.cast<string>(eb.val(`${SCHEMA}.sessions`), 'text');
      const isAllowed = eb.fn<boolean>('has_table_privilege', [sessions, eb.val('INSERT')]);
      return [
        eb.and([isAllowed, eb.not(eb.fn<boolean>('pg_is_in_recovery', []))]).as('may_write'),
        eb
          .fn<string>('current_setting', [eb.val('default_transaction_read_only')])
          .as('is_read_only'),
      ];
    }),
  ),
);

/** Opens the app's store on a PostgreSQL database. Rejects with `Refusal`. */
export async function openPostgresApp(address: string, now = systemTime): Promise<AppStore> {
  const connections = await connect(address, { connections: CONNECTIONS });
  try {
    await requireSchema(connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return createAppStore(createAccess(connections, now), {
    async canWrite() {
      const [found] = await connections.query(mayWrite(), {});
      return found?.may_write === true && found.is_read_only === 'off';
    },
    close: () => connections.close(),
  });
}

/** Whether the user may write memories. */
const mayInsert = prepare(
  query((_: Slot<object>) =>
    build.selectNoFrom((eb) => {
      const memories = eb.cast<string>(eb.val(`${SCHEMA}.memories`), 'text');
      return eb.fn<boolean>('has_table_privilege', [memories, eb.val('INSERT')]).as('may_insert');
    }),
  ),
);

/** Returns whether the user of an address may write memories. Rejects with `Refusal`. */
export async function mayWriteMemories(address: string): Promise<boolean> {
  const connections = await connect(address, { connections: 1 });
  try {
    await requireSchema(connections);
    const [found] = await connections.query(mayInsert(), {});
    return found?.may_insert === true;
  } finally {
    await connections.close();
  }
}

/** Creates the transactions of the app on the connections to a server. */
export function createAccess(connections: ConnectionPool, now = systemTime): AppAccess {
  return {
    now,
    async read(scope, work) {
      try {
        return await within(scope, work);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        return within(scope, work);
      }
    },
    write: (scope, work) =>
      within(scope, async (on) => {
        const { account_id } = scope;
        if (account_id !== undefined) await on.prepare(lockApp).all({ account_id });
        return work(on);
      }),
    tryWrite: within,
  };

  function within<T>(
    { account_id = '', secret = '' }: VisibleRows,
    work: (on: Connection) => T | Promise<T>,
  ): Promise<T> {
    return connections.withClient(async (client) => {
      const on = connectionTo(client, now);
      return on.transaction(async () => {
        await on.prepare(enter).all({ account_id, secret });
        return work(on);
      });
    });
  }
}
