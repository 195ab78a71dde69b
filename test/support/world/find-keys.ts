// Searches files for keys, and for the secrets of sessions and links.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'mem_';
const LENGTH = 53;

/** The tokens of sessions and the secrets of links. */
const SECRET = /^[\w-]{43}$/;
const SECRET_LENGTH = 43;

/** Searches every file under a folder, whatever its kind, for the bytes of any of the keys. */
export function findSpilt(folder: string, keys: readonly string[]) {
  const isKey = (key: string) => key.startsWith(PREFIX) && key.length === LENGTH;
  if (keys.some((key) => !isKey(key) && !SECRET.test(key)))
    throw new TypeError('the search does not find keys of another form');
  const issued = new Set(keys);
  const secrets = secretSearch(keys.filter((key) => !isKey(key)));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
  const spilt = files.filter((file) => {
    const bytes = readFileSync(file);
    return holdsAny(bytes, issued) || secrets(bytes);
  });
  return { searched: files.length, spilt };
}

/**
 * Returns a search in one pass for all secrets, which have no prefix. Thousands are issued in a run that leaves
 * hundreds of megabytes: one search for each took minutes.
 */
function secretSearch(secrets: readonly string[]): (bytes: Buffer) => boolean {
  const wanted = new Set(secrets);
  const starts = new Uint8Array(1 << 24); // by the first four bytes, mixed into 24 bits
  for (const secret of secrets) starts[startOf(Buffer.from(secret, 'latin1'), 0)] = 1;
  return (bytes) => {
    const last = bytes.length - SECRET_LENGTH;
    for (let at = 0; at <= last; at++)
      if (
        starts[startOf(bytes, at)] === 1 &&
        wanted.has(bytes.toString('latin1', at, at + SECRET_LENGTH))
      )
        return true;
    return false;
  };
}

function startOf(bytes: Buffer, at: number): number {
  const high = ((bytes[at] ?? 0) << 18) ^ ((bytes[at + 1] ?? 0) << 12);
  return (high ^ ((bytes[at + 2] ?? 0) << 6) ^ (bytes[at + 3] ?? 0)) & 0xff_ffff;
}

/** Searches in one pass for all keys, because thousands were issued and databases are large. */
function holdsAny(bytes: Buffer, keys: ReadonlySet<string>): boolean {
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1))
    if (keys.has(bytes.toString('latin1', at, at + LENGTH))) return true;
  return false;
}
