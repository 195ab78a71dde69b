// Addresses of databases: whether one is PostgreSQL's, and how it is shown without its secrets.

import { shellWord } from '../lib/shell.ts';

const SCHEMES = ['postgres:', 'postgresql:'];

/** Returns whether a database is the address of a PostgreSQL database rather than a path. To choose an engine, use `engineOf`. */
export function isPostgres(database: string): boolean {
  return SCHEMES.some((scheme) => database.startsWith(`${scheme}//`));
}

/** Returns the path or address of a database without its secrets. */
export function showDatabase(database: string): string {
  if (!isPostgres(database)) return database;
  const url = URL.parse(database);
  if (url === null) return 'the PostgreSQL database';
  const user = url.username === '' ? '' : `${url.username}@`;
  // The settings after the "?" may contain a password too.
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

/** Returns whether the address of a database contains a password. */
export function hasPassword(database: string): boolean {
  if (!isPostgres(database)) return false;
  const url = URL.parse(database);
  return url === null || url.password !== '' || url.searchParams.has('password');
}

/** Returns a command for a database: `memory-gateway migrate --database FILE`. */
export function commandOn(path: string, words: string): string {
  return `memory-gateway ${words} ${optionOf(path)}`;
}

/** Returns the option that names a database to commands: `--database FILE`. */
export function optionOf(path: string): string {
  return `--database ${shellWord(showDatabase(path))}`;
}
