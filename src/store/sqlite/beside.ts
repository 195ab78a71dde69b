// Beside: what SQLite keeps next to a database, where nothing else may ever lie.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What stands behind the name of a database in the names of its own files: SQLite takes whatever is called so for its own. */
const ENDS = ['', '-wal', '-shm', '-journal'];

/** Tells whether a path is, or would be, a database or one of the files that SQLite keeps beside it. */
export function belongsTo(database: string, path: string): boolean {
  const [file, place] = [leadsTo(database), leadsTo(path)];
  return ENDS.some((end) => place === file + end);
}

/** Where a path leads, through links, also where nothing is there yet. */
function leadsTo(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}
