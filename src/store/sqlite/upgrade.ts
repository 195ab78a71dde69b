// Upgrades a database that others may read and write: what was there is kept, then all migrations are applied, or none.

import { rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import type { Stage } from '../stage.ts';
import { keep, orNoRoom, type Keeping } from './aside.ts';
import { emptyLog } from './erase.ts';
import { explain, isMissing, openFile } from './file.ts';
import { applyMigrations, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { createDatabase } from './writer.ts';

/** What is upgraded, and how. */
export interface UpgradeOptions {
  readonly database: string;
  /** Whether no copy is kept of what is there. */
  readonly discard?: boolean;
  readonly stage?: Stage;
}

/** What was done. */
export interface Upgraded {
  /** The names of the migrations applied, in order. */
  readonly applied: readonly string[];
  /** Where the database is kept as it was before. */
  readonly kept: string | undefined;
}

/** Makes a database, or brings its schema up to date. Fails with `Refusal`, and then it is as it was. */
export async function upgrade(options: UpgradeOptions): Promise<Upgraded> {
  const { database } = options;
  if (isMissing(database)) return { applied: createDatabase(database), kept: undefined };
  const db = openFile(database, 'migrate');
  try {
    // Looked at before it is locked, so that who has nothing to do waits for no other program.
    const upgraded = isOlder(db) ? await apply(db, options) : undefined;
    return upgraded ?? { applied: [], kept: undefined };
  } catch (error) {
    throw explain(error, database);
  } finally {
    db.close(); // which ends a transaction that was not committed
  }
}

/** Keeps what is there, and applies what is missing; returns undefined where another program was faster. */
async function apply(
  db: Database,
  { database, discard = false, stage }: UpgradeOptions,
): Promise<Upgraded | undefined> {
  // Nobody else can write from here on: nothing that was committed is missing in what is kept.
  db.exec('BEGIN IMMEDIATE');
  if (!isOlder(db)) return undefined;
  if (discard) return { applied: commit(db), kept: undefined };
  // By the name that it was opened by: beside what a link leads to.
  const keeping: Keeping = { database: db.name, before: 'migrate', stage };
  const kept = await keepAside(keeping);
  try {
    return { applied: commit(db), kept };
  } catch (error) {
    rmSync(kept, { force: true });
    throw orNoRoom(explain(error, database), keeping);
  }
}

function commit(db: Database): string[] {
  const applied = applyMigrations(db);
  db.exec('COMMIT');
  emptyLog(db);
  return applied;
}

/** Keeps what is committed, as a connection of its own sees it: that which is to write is in a transaction already. */
async function keepAside(keeping: Keeping): Promise<string> {
  const live = openFile(keeping.database, 'look');
  try {
    return await keep(live, keeping);
  } finally {
    live.close();
  }
}

function isOlder(db: Database): boolean {
  return schemaVersion(db) < SCHEMA_VERSION;
}
