// The addresses of a test's database on the servers of the run.

/** The address of a database on the primary. */
export function databaseAddress(name: string): string {
  return `${process.env['TEST_PRIMARY'] ?? ''}/${name}`;
}

/** The address of the same database on the standby. */
export function standbyAddress(database: string): string {
  return database.replace(process.env['TEST_PRIMARY'] ?? '', process.env['TEST_STANDBY'] ?? '');
}

/** The address of the same database for the user that only reads; what is on no server of the run stays as it is. */
export function readerAddress(database: string): string {
  const isOurs = [process.env['TEST_PRIMARY'], process.env['TEST_STANDBY']].some(
    (server) => server !== undefined && database.startsWith(server),
  );
  return isOurs ? database.replace('//postgres@', '//memory_reader@') : database;
}

/** The address by which databases are made and dropped. */
export function adminAddress(): string {
  return databaseAddress('postgres');
}
