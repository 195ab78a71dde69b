// The engine of a test run: SQLite files, PostgreSQL, or PostgreSQL with a standby.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { once } from '../../../src/lib/once.ts';
import { isPostgres } from '../../../src/store/address.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { createDatabase, openWriter, type FileWriter } from '../../../src/store/sqlite/writer.ts';
import type { Store } from '../../../src/store/store.ts';
import { newFolder } from '../world/artifacts.ts';
import { readerAddress, standbyAddress } from './database-addresses.ts';
import { call, openDistantWriter } from './sync-postgres.ts';

/** The engine that stores memories in this test run. */
export interface Engine {
  readonly name: string;
  /** Creates a database that lasts until the test ends. For SQLite it is a file in `folder`. */
  readonly create: (t: TestContext, folder: string) => string;
  /**
   * Opens a database for writing until the test ends. Each write is complete when its call returns.
   */
  readonly write: (t: TestContext, database: string) => FileWriter;
  /**
   * Runs SQL that both engines understand, without the writer. Returns the rows of the last
   * statement.
   */
  readonly edit: (database: string, sql: string) => Record<string, unknown>[];
  /** Locks a database against writers until the test ends, as another program would. */
  readonly lock: (t: TestContext, database: string) => void;
}

/** Returns an empty database to copy: a copy takes a tenth of the time of the migrations. */
const emptyDatabase = once(() => {
  const path = join(newFolder(), 'empty.db');
  createDatabase(path);
  return path;
});

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

/** All engines. PostgreSQL needs the servers of the run. */
export const engines: Readonly<Record<'sqlite' | 'postgres' | 'replica', Engine>> = {
  sqlite: {
    name: 'SQLite',
    create(_, folder) {
      const database = join(folder, 'memories.db');
      copyFileSync(emptyDatabase(), database);
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
  // Writes go to the primary and reads to its standby.
  replica: { ...postgres, name: 'PostgreSQL with a replica' },
};

/** The engine of this run. */
export const engine = engines[(process.env['ENGINE'] ?? 'sqlite') as keyof typeof engines];

/** Whether the engine is SQLite, and the reason to skip a test of SQLite files otherwise. */
export const onlyFiles = engine === engines.sqlite ? false : 'tests a SQLite file';

/** Whether the engine is PostgreSQL, and the reason to skip a test of its servers otherwise. */
export const onlyPostgres =
  engine === engines.sqlite ? 'tests a PostgreSQL server (ENGINE=postgres)' : false;

/** Opens a database as the read-only user, with its replica if there is one. */
export async function openAny(database: string): Promise<Store> {
  const address = readerAddress(database);
  const replicas =
    engine === engines.replica && isPostgres(database)
      ? [readerAddress(standbyAddress(database))]
      : [];
  for (;;) {
    const store = await engineOf(address).open({ replicas });
    // A new database reaches the standby a little later.
    if (replicas.length === 0 || store.servers?.().at(-1)?.isUsed) return store;
    await store.close();
  }
}
