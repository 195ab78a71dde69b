// Addresses: what names a database, a file of SQLite or a server of PostgreSQL, and how that is shown.

const SCHEMES = ['postgres:', 'postgresql:'];

/** Tells the address of a PostgreSQL database from the path of a file. */
export function isPostgres(database: string): boolean {
  return SCHEMES.some((scheme) => database.startsWith(`${scheme}//`));
}

/** Shows what names a database, without the secrets that may stand in it. */
export function showDatabase(database: string): string {
  if (!isPostgres(database)) return database;
  const url = URL.parse(database);
  if (url === null) return 'the PostgreSQL database';
  const user = url.username === '' ? '' : `${url.username}@`;
  // What follows the "?" are settings, among which may be a password, too.
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

/** Tells whether there is a password in the address of a database. */
export function hasPassword(database: string): boolean {
  if (!isPostgres(database)) return false;
  const url = URL.parse(database);
  return url === null || url.password !== '' || url.searchParams.has('password');
}
