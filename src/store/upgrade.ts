// Makes a database, or brings its schema up to date, whatever the engine.

import { isPostgres } from './address.ts';
import { SCHEMA_VERSION } from './sqlite/migrate.ts';
import { upgrade as upgradeFile, type Upgraded, type UpgradeOptions } from './sqlite/upgrade.ts';

/** What was done, and the schema that there is now. */
export interface Brought extends Upgraded {
  readonly schema: number;
}

/**
 * Makes a database, or brings its schema up to date; what was in a file is kept beside it. Fails with
 * `Refusal`, and then it is as it was.
 */
export async function upgrade(options: UpgradeOptions): Promise<Brought> {
  const { database } = options;
  if (!isPostgres(database)) return { schema: SCHEMA_VERSION, ...(await upgradeFile(options)) };
  const { migratePostgres } = await import('./postgres/migrate.ts');
  const { POSTGRES_VERSION: schema } = await import('./postgres/schema.ts');
  return { schema, applied: await migratePostgres(database), kept: undefined };
}
