// The worker thread behind sync-postgres.ts: it creates and edits databases and writes memories.

import { randomUUID } from 'node:crypto';
import { workerData, type MessagePort } from 'node:worker_threads';

import { Client } from 'pg';

import type { Writer } from '../../../src/store/engine.ts';
import { connect } from '../../../src/store/postgres/servers/connection.ts';
import { withPostgresWriter } from '../../../src/store/postgres/writer.ts';
import type { RefusalCode } from '../../../src/store/refusal.ts';
import { adminAddress, databaseAddress } from './database-addresses.ts';
import { TEMPLATE } from './postgres-servers.ts';

interface Asked {
  readonly number: number;
  readonly name: keyof Does;
  readonly args: never[];
}

/** The result of a call. */
export type Told = { readonly number: number } & (
  | { readonly value: unknown }
  | { readonly fault: Fault }
);

/** The parts of an error that pass between threads. */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly code?: RefusalCode;
  /** The issues of a validation error. */
  readonly issues?: readonly { readonly message: string }[];
}

/** The functions of the thread. */
export type Does = typeof does;

interface Open {
  readonly database: string;
  readonly writer: Writer;
  readonly end: () => Promise<void>;
}

interface Transaction {
  readonly end: PromiseWithResolvers<void>;
  readonly done: Promise<void>;
}

const { port, bell } = workerData as { readonly port: MessagePort; readonly bell: Int32Array };

/** Empties every table of the schema but the list of its migrations. */
const EMPTY = `DO $$ BEGIN
  EXECUTE (
    SELECT 'TRUNCATE ' || string_agg(format('%I.%I', schemaname, tablename), ', ') || ' RESTART IDENTITY'
    FROM pg_tables WHERE schemaname = 'memory_gateway' AND tablename <> 'schema_versions'
  );
END $$`;
/**
 * Describes a schema as one string: tables and columns, indexes, triggers, row-level security and
 * functions.
 */
const SHAPE = `WITH ours AS (SELECT oid FROM pg_namespace WHERE nspname = 'memory_gateway'),
parts AS (
  SELECT concat_ws(' ', c.relname, c.relrowsecurity, c.relacl, a.attname, a.atttypid, a.attnotnull) AS part
  FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relnamespace = (TABLE ours)
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'memory_gateway'
  UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE c.relnamespace = (TABLE ours) AND NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', tablename, policyname, qual) FROM pg_policies
  UNION ALL SELECT concat_ws(' ', proname, prosrc, proacl) FROM pg_proc WHERE pronamespace = (TABLE ours)
) SELECT md5(string_agg(part, ',' ORDER BY part)) AS shape FROM parts`;
const OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const writers = new Map<number, Open>();
const transactions = new Map<number, Transaction>();
/** Clean databases for the next test. Emptying a database takes a tenth of the time of creating one. */
const emptied: string[] = [];
/** Databases that may have a changed schema, because a test ran its own SQL on them. */
const edited = new Set<string>();
let shape: string | undefined;
let admin: Promise<Client> | undefined;
let count = 0;

const does = {
  /**
   * Creates an empty database with the schema, or empties one of an earlier test. Returns its
   * address.
   */
  async create(): Promise<string> {
    const left = emptied.pop();
    if (left !== undefined) return left;
    const name = `t_${randomUUID().replaceAll('-', '')}`;
    await (
      await asAdmin()
    ).query(`CREATE DATABASE ${name} STRATEGY FILE_COPY TEMPLATE ${TEMPLATE}`);
    return databaseAddress(name);
  },
  /** Closes all connections to a database, and makes it available to the next test if it is clean. */
  async drop(database: string): Promise<void> {
    const of = [...writers].filter(([, open]) => open.database === database);
    await Promise.all(of.map(([writer]) => does.close(writer)));
    if (!edited.has(database) && (await isEmptied(database))) emptied.push(database);
    else await (await asAdmin()).query(`DROP DATABASE IF EXISTS ${nameOf(database)} WITH (FORCE)`);
  },
  /** Runs SQL as the owner of a database. Returns the rows of its last statement. */
  async edit(database: string, sql: string): Promise<Record<string, unknown>[]> {
    edited.add(database);
    const connections = await connect(database, { connections: 1 });
    try {
      return await connections.withClient(async (client) => {
        const results = [
          await client.query<Record<string, unknown>>(`SET search_path = memory_gateway; ${sql}`),
        ].flat();
        return results.at(-1)?.rows ?? [];
      });
    } finally {
      await connections.close();
    }
  },
  /** Runs SQL in a transaction that stays open until its database is dropped. */
  async hold(database: string, sql: string): Promise<void> {
    edited.add(database);
    const client = await connected(database);
    client.on('error', () => {}); // the drop ends the transaction
    await client.query(`BEGIN; SET search_path = memory_gateway; ${sql}`);
  },
  /** Opens a database for writing. Returns the number of the writer. */
  async open(database: string): Promise<number> {
    const opened = Promise.withResolvers<Writer>();
    const ended = Promise.withResolvers<void>();
    const closed = withPostgresWriter(database, (writer) => {
      opened.resolve(writer);
      return ended.promise;
    });
    closed.catch(opened.reject);
    const end = () => {
      ended.resolve();
      return closed;
    };
    writers.set(++count, { database, writer: await opened.promise, end });
    return count;
  },
  /** Calls a method of a writer by its path, such as `memories.put`. */
  async write(asked: {
    readonly writer: number;
    readonly path: string;
    readonly args: readonly unknown[];
  }): Promise<unknown> {
    let target: unknown;
    let found: unknown = writerOf(asked.writer);
    for (const name of asked.path.split('.')) [target, found] = [found, (found as never)[name]];
    return Reflect.apply(found as () => unknown, target, asked.args);
  },
  async begin(writer: number): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const work = () => {
      begun.resolve();
      return end.promise;
    };
    const done = Promise.resolve(writerOf(writer).transaction(work));
    done.catch(begun.reject);
    transactions.set(writer, { end, done });
    await begun.promise;
  },
  async commit(writer: number): Promise<void> {
    const transaction = transactions.get(writer);
    transaction?.end.resolve();
    await transaction?.done;
  },
  async rollback(writer: number): Promise<void> {
    const transaction = transactions.get(writer);
    transaction?.end.reject(new Error('rolled back'));
    await transaction?.done.catch(() => {});
  },
  async close(writer: number): Promise<void> {
    const open = writers.get(writer);
    writers.delete(writer);
    await open?.end();
  },
};

port.on('message', ({ number, name, args }: Asked) => {
  const work: (...all: never[]) => Promise<unknown> = does[name];
  void work(...args).then(
    (value) => tell({ number, value }),
    (error: unknown) => tell({ number, fault: faultOf(error) }),
  );
});

function tell(told: Told): void {
  port.postMessage(told);
  Atomics.add(bell, 0, 1);
  Atomics.notify(bell, 0);
}

function faultOf(error: unknown): Fault {
  const { name, message, code, issues } = error as Fault;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(issues === undefined
      ? {}
      : { issues: issues.map((issue) => ({ message: issue.message })) }),
  };
}

function writerOf(number: number): Writer {
  const open = writers.get(number);
  if (open === undefined) throw new Error('The database connection is not open');
  return open.writer;
}

/** Empties a database. Returns false if its schema was changed. */
async function isEmptied(database: string): Promise<boolean> {
  const client = await connected(database);
  try {
    await client.query(OTHERS);
    shape ??= await shapeOf(await connected(databaseAddress(TEMPLATE)), true);
    if ((await shapeOf(client)) !== shape) return false;
    await client.query(EMPTY);
    return true;
  } finally {
    await client.end();
  }
}

async function shapeOf(client: Client, isLast = false): Promise<string | undefined> {
  const { rows } = await client.query<{ shape: string }>(SHAPE);
  if (isLast) await client.end();
  return rows[0]?.shape;
}

function nameOf(database: string): string {
  return new URL(database).pathname.slice(1);
}

async function connected(address: string): Promise<Client> {
  const client = new Client(address);
  await client.connect();
  return client;
}

function asAdmin(): Promise<Client> {
  return (admin ??= connected(adminAddress()));
}
