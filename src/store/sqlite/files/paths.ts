// The paths of a database's own files, which no other file may have.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The suffixes of a database's own files. SQLite takes any file with such a name for its own. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Returns whether a path is, or would be, a database or one of the files that SQLite keeps next to it. */
export function isDatabaseFile(database: string, path: string): boolean {
  const [file, other] = [resolveLinks(database), resolveLinks(path)];
  return SUFFIXES.some((suffix) => other === file + suffix);
}

/** Returns where a path leads through links, also if there is no file yet. */
export function resolveLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}
