// Looks for keys in files.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'mem_';
const LENGTH = 53;

/** Searches every file under a folder, whatever its kind, for the bytes of any of the keys. */
export function findSpilt(folder: string, keys: readonly string[]) {
  if (keys.some((key) => !key.startsWith(PREFIX) || key.length !== LENGTH))
    throw new TypeError('a key of another form would not be found');
  const issued = new Set(keys);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
  const spilt = files.filter((file) => holdsAny(readFileSync(file), issued));
  return { searched: files.length, spilt };
}

/** One pass over the bytes, however many keys there are: thousands were issued, and databases are large. */
function holdsAny(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1))
    if (keys.has(bytes.toString('latin1', at, at + LENGTH))) return true;
  return false;
}
