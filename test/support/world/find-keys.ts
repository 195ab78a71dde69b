// Searches files for keys, and for the secrets of sessions and links.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'mem_';
const LENGTH = 53;

/** The tokens of sessions and the secrets of links, of which there are few. */
const SECRET = /^[\w-]{43}$/;

/** Searches every file under a folder, whatever its kind, for the bytes of any of the keys. */
export function findSpilt(folder: string, keys: readonly string[]) {
  const isKey = (key: string) => key.startsWith(PREFIX) && key.length === LENGTH;
  if (keys.some((key) => !isKey(key) && !SECRET.test(key)))
    throw new TypeError('the search does not find keys of another form');
  const issued = new Set(keys);
  const secrets = keys.filter((key) => !isKey(key));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
  const spilt = files.filter((file) => {
    const bytes = readFileSync(file);
    return holdsAny(bytes, issued) || secrets.some((secret) => bytes.includes(secret));
  });
  return { searched: files.length, spilt };
}

/** Searches in one pass for all keys, because thousands were issued and databases are large. */
function holdsAny(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1))
    if (keys.has(bytes.toString('latin1', at, at + LENGTH))) return true;
  return false;
}
