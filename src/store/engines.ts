// The engines: the only place that chooses one, by the path or address of a database.

import { isPostgres } from './address.ts';
import type { Engine } from './engine.ts';
import { postgresEngine } from './postgres/engine.ts';
import { Refusal } from './refusal.ts';
import * as sqlite from './sqlite/connection.ts';
import { sqliteEngine } from './sqlite/engine.ts';

export { openStore } from './sqlite/store.ts';

/** The beginning of an address. A path such as `C:\data` has no slashes there. */
const SCHEME = /^([a-z][a-z\d+.-]+):\/\//i;

/** Names that SQLite or other libraries read in another way. As a path, each would become a file of that name. */
const NO_PATH = /^(:.*:$|(?:file|sqlite3?|postgres(?:ql)?):)/is;

/**
 * Returns the engine of a database: of the address of a PostgreSQL database, such as
 * `postgres://host/memories`, or of the path of a SQLite file. Throws `Refusal` for other addresses.
 */
export function engineOf(database: string): Engine {
  if (typeof database !== 'string' || database === '')
    throw new Refusal('Name a database: the path of a SQLite file, such as memories.db.');
  if (isPostgres(database)) return postgresEngine(database);
  const [, scheme] = SCHEME.exec(database) ?? [];
  if (scheme === undefined) {
    const [, odd] = NO_PATH.exec(database) ?? [];
    if (odd === undefined) return sqliteEngine(database);
    throw new Refusal(
      `A database is a file here, not "${odd}"; name one, such as ./memories.db, or use openTestGateway() in a test.`,
    );
  }
  // The address is not repeated, because there may be a password in it.
  throw new Refusal(
    `Databases at ${scheme}:// are not supported; name a SQLite file, or an address such as postgres://host/memories.`,
  );
}

/**
 * Returns the version of SQLite. It is not re-exported, because the declarations of the connection name
 * types of better-sqlite3, which users of the package do not have.
 */
export function sqliteVersion(): string {
  return sqlite.sqliteVersion();
}
