// The addresses of a test's database for each user and server.

/** The address of a database on the primary. */
export function databaseAddress(name: string): string {
  return `${process.env['TEST_PRIMARY'] ?? ''}/${name}`;
}

/** The address of the same database on the standby. */
export function standbyAddress(database: string): string {
  return database.replace(process.env['TEST_PRIMARY'] ?? '', process.env['TEST_STANDBY'] ?? '');
}

/** Returns the address of a database for the read-only user, or the address unchanged if it is not on a server of the run. */
export function readerAddress(database: string): string {
  return addressFor('memory_reader', database);
}

/** Returns the address of a database for the user of the app, or the address unchanged if it is not on a server of the run. */
export function appAddress(database: string): string {
  return addressFor('memory_app', database);
}

function addressFor(user: string, database: string): string {
  const isOurs = [process.env['TEST_PRIMARY'], process.env['TEST_STANDBY']].some(
    (server) => server !== undefined && database.startsWith(server),
  );
  return isOurs ? database.replace('//postgres@', `//${user}@`) : database;
}

/** The address for creating and dropping databases. */
export function adminAddress(): string {
  return databaseAddress('postgres');
}
