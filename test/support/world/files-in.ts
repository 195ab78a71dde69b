// Reads the files that a command has written into a folder.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns all files below a folder with their contents, sorted by their paths. */
export function filesIn(folder: string, encoding: BufferEncoding = 'utf8'): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), encoding)]));
}
