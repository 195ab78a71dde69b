// Opens a database for reading, whatever the engine.

import type { Awaitable } from '../contract/awaitable.ts';
import { isPostgres } from './address.ts';
import type { PostgresOptions, Warn } from './options.ts';
import { openStore } from './sqlite.ts';
import type { Store } from './store.ts';

/**
 * Opens a file of SQLite, or connects to a PostgreSQL database, which an address such as
 * `postgres://host/memories` names. Fails with `Refusal` when it is missing, foreign, older or newer.
 */
export function openAnyStore(
  database: string,
  options: PostgresOptions = {},
  warn?: Warn,
): Awaitable<Store> {
  if (!isPostgres(database)) return openStore(database);
  return import('./postgres.ts').then(({ openPostgres }) => openPostgres(database, options, warn));
}
