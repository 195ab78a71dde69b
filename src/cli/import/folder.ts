// Walks a folder, and files on their way in: in the order of their names, following no links.

import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bytes } from '../../formats/bytes.ts';
import { Refusal } from '../../store/refusal.ts';
import { isHidden, isOurs, LINK, NO_FILE, OTHER_KIND } from './kinds.ts';

/** What is in a folder, named from there with `/` between; its bytes are not looked at. */
export type InFolder = { readonly name: string } & (
  | { readonly stats: Stats }
  | { readonly passed_over: string }
  | { readonly reason: string }
);

/** Walks a folder, and those in it. Of each only the names are held, and what is hidden is left out. */
export async function* walk(folder: string): AsyncGenerator<InFolder> {
  const left = [''];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    try {
      // The folder itself may be a link, as it was named.
      const stats = await (name === '' ? stat : lstat)(join(folder, name));
      if (!stats.isDirectory()) yield { name, ...judge(name, stats) };
      else for (const each of await namesIn(folder, name)) left.push(each);
    } catch (error) {
      yield { name, reason: unreadable(error).message };
    }
  }
}

/** Reads a file. Fails with `Refusal` where that cannot be done to its end. */
export async function* readFile(path: string): Bytes & AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      yield chunk as Uint8Array;
  } catch (error) {
    throw unreadable(error);
  }
}

const CHUNK_BYTES = 256 * 1024;

/** Makes a reason of what the file system said. */
export function unreadable(error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new Refusal(`it cannot be read (${code})`, { cause: error });
}

/** The names in a folder, the last first. */
async function namesIn(folder: string, name: string): Promise<string[]> {
  const names = await readdir(join(folder, name));
  return names
    .filter((each) => !isHidden(each))
    .toSorted()
    .toReversed()
    .map((each) => (name === '' ? each : `${name}/${each}`));
}

function judge(name: string, stats: Stats) {
  if (stats.isSymbolicLink()) return { passed_over: LINK };
  if (!stats.isFile()) return { passed_over: NO_FILE };
  return isOurs(name) ? { stats } : { passed_over: OTHER_KIND };
}
