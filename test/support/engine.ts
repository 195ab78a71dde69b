// The engine that a run of the tests is on: files of SQLite, or a server of PostgreSQL and its standby.

import { join } from 'node:path';
import type { TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { isPostgres } from '../../src/store/address.ts';
import { openAnyStore } from '../../src/store/open.ts';
import { createDatabase, openWriter, type FileWriter } from '../../src/store/sqlite/writer.ts';
import type { Store } from '../../src/store/store.ts';
import { readerAddress, standbyAddress } from './addresses.ts';
import { call, openDistantWriter } from './distant.ts';

/** How a run of the tests keeps memories. */
export interface Engine {
  readonly name: string;
  /** Makes a database that ends with its test, in a folder where it is a file. */
  readonly create: (t: TestContext, folder: string) => string;
  /** Opens it for writing till the test ends; each write is done when it returns. */
  readonly write: (t: TestContext, database: string) => FileWriter;
  /** Runs SQL that both engines have, past the writer, as an operator may; returns the rows of its last statement. */
  readonly edit: (database: string, sql: string) => Record<string, unknown>[];
  /** Holds a database till the test ends, as another program that writes: nobody else can. */
  readonly lock: (t: TestContext, database: string) => void;
}

const postgres: Engine = {
  name: 'PostgreSQL',
  create(t) {
    const database = call('create');
    t.after(() => call('drop', database));
    return database;
  },
  write: (_, database) => openDistantWriter(database),
  edit: (database, sql) => call('edit', database, sql),
  lock: (_, database) =>
    call('hold', database, 'LOCK TABLE accounts, api_keys, memories IN EXCLUSIVE MODE'),
};

/** The engines; PostgreSQL answers in a run that has its servers. */
export const engines: Readonly<Record<'sqlite' | 'postgres' | 'replica', Engine>> = {
  sqlite: {
    name: 'SQLite',
    create(_, folder) {
      const database = join(folder, 'memories.db');
      createDatabase(database);
      return database;
    },
    write(t, database) {
      const writer = openWriter(database);
      t.after(() => writer.close());
      return writer;
    },
    edit(database, sql) {
      const db = new Database(database);
      try {
        const statements = sql.split(';').map((each) => db.prepare(each));
        return statements.map((each) => (each.reader ? each.all() : (each.run(), []))).at(-1) as [];
      } finally {
        db.close();
      }
    },
    lock(t, database) {
      const db = new Database(database);
      t.after(() => db.close());
      db.exec('BEGIN IMMEDIATE');
    },
  },
  postgres,
  // What is written on the primary, and read from its standby.
  replica: { ...postgres, name: 'PostgreSQL with a replica' },
};

/** The engine of this run. */
export const engine = engines[(process.env['ENGINE'] ?? 'sqlite') as keyof typeof engines];

/** Whether it is files of SQLite, and why a test that is about these is skipped where it is not. */
export const onlyFiles = engine === engines.sqlite ? false : 'it is about a file of SQLite';

/** Whether it is PostgreSQL, and why a test that is about its servers is skipped where it is not. */
export const onlyPostgres =
  engine === engines.sqlite ? 'it is about a server of PostgreSQL (ENGINE=postgres)' : false;

/** Opens a database for reading, as the user who may do nothing else where there is one, and by its replica. */
export async function openAny(database: string): Promise<Store> {
  const address = readerAddress(database);
  const replicas =
    engine === engines.replica && isPostgres(database)
      ? [readerAddress(standbyAddress(database))]
      : [];
  for (;;) {
    const store = await openAnyStore(address, { replicas });
    // A database comes to its standby a little later.
    if (replicas.length === 0 || store.servers?.().at(-1)?.isUsed) return store;
    await store.close();
  }
}
