// Upgrades a database while others use it: makes a safety copy, then applies all migrations or none.

import { rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import type { Upgraded, UpgradeOptions } from '../../engine.ts';
import { explainSqlite, isMissing, openFile } from '../connection.ts';
import { applyMigrations, SCHEMA_VERSION, schemaVersion } from '../migrations.ts';
import { truncateWal, createDatabase } from '../writer.ts';
import { keepSafetyCopy, explainNoRoom, type SafetyCopyOptions } from './safety-copy.ts';

/** An upgrade of a database. */
export interface Upgrade extends UpgradeOptions {
  readonly database: string;
}

type Done = Omit<Upgraded, 'schema'>;

/** Creates a database or brings its schema up to date. If it rejects with `Refusal`, the database is unchanged. */
export async function upgradeFile(options: Upgrade): Promise<Done> {
  const { database } = options;
  if (isMissing(database)) return done(createDatabase(database));
  const db = openFile(database, 'migrate');
  try {
    // Checked before taking the lock, so that an up-to-date database waits for no other program.
    const upgraded = isOlder(db) ? await apply(db, options) : undefined;
    return upgraded ?? done([]);
  } catch (error) {
    throw explainSqlite(error, database);
  } finally {
    db.close(); // rolls back a transaction that was not committed
  }
}

/** Makes a safety copy and applies the missing migrations. Returns undefined if another program was faster. */
async function apply(
  db: Database,
  { database, discard = false, stage }: Upgrade,
): Promise<Done | undefined> {
  // From here on others cannot write, so the safety copy has every commit.
  db.exec('BEGIN IMMEDIATE');
  if (!isOlder(db)) return undefined;
  if (discard) return done(commit(db));
  // The name after links were resolved, so the copy lies next to the file itself.
  const keeping: SafetyCopyOptions = { database: db.name, before: 'migrate', stage };
  const kept = await copyCommitted(keeping);
  try {
    return done(commit(db), kept);
  } catch (error) {
    rmSync(kept, { force: true });
    throw explainNoRoom(explainSqlite(error, database), keeping);
  }
}

function commit(db: Database): string[] {
  const applied = applyMigrations(db);
  db.exec('COMMIT');
  truncateWal(db);
  return applied;
}

/** Copies the committed state through a second connection, because the first one is in a transaction. */
async function copyCommitted(keeping: SafetyCopyOptions): Promise<string> {
  const live = openFile(keeping.database, 'look');
  try {
    return await keepSafetyCopy(live, keeping);
  } finally {
    live.close();
  }
}

function isOlder(db: Database): boolean {
  return schemaVersion(db) < SCHEMA_VERSION;
}

function done(applied: readonly string[], kept?: string): Done {
  return { applied, kept };
}
