// Looks for keys in files.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Searches every file under a folder, whatever its kind, for the bytes of any of the keys. */
export function findSpilt(folder: string, keys: readonly string[]) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
  const spilt = files.filter((file) => {
    const bytes = readFileSync(file);
    return keys.some((key) => bytes.includes(key));
  });
  return { searched: files.length, spilt };
}
