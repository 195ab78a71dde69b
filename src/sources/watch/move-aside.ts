// Moves a file that cannot be read to the folder `rejected`, with a note beside it.

import {
  copyFile,
  lstat,
  mkdir,
  open,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { factsOf, isUntouched, type FileFacts } from './candidates.ts';

/** The folder in a watched folder that is not watched. */
export const REJECTED = 'rejected';

/** Returns whether a path from the watched folder is the folder of rejected files. Some disks ignore case. */
export function isRejectedFolder(name: string): boolean {
  return name.toLowerCase() === REJECTED;
}

/** A file to move: its path from the watched folder, its facts when it was read, and the text of the note. */
export interface UnreadableFile {
  readonly name: string;
  readonly facts: FileFacts;
  readonly note: string;
}

/**
 * Moves a file from a watched folder to the same path in its folder `rejected`, and writes the note
 * beside it. Returns the new path from the watched folder, or undefined if the file is gone or has
 * changed. Overwrites nothing but empty files. Rejects with the error of the file system.
 */
export async function moveAside(
  folder: string,
  { name, facts, note }: UnreadableFile,
): Promise<string | undefined> {
  const from = join(folder, name);
  await makeFolder(folder, dirname(name));
  const isSame = async () => {
    const now = await lstat(from).catch(() => undefined);
    return now !== undefined && isUntouched(facts, factsOf(now));
  };
  if (!(await isSame())) return undefined;
  const moved = await reserve(folder, join(REJECTED, name));
  const to = join(folder, moved);
  // The note comes first, because a move without its note would not be repeated after a crash.
  await writeFile(`${to}.txt`, note);
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      await release(to); // another watcher was faster
      return undefined;
    }
    if (code !== 'EXDEV') throw error;
    if (!(await copyAcross(from, to, isSame))) return undefined;
  }
  return moved;
}

/** Creates the folders in `rejected`, but not the watched folder, which may be a share that is not mounted. */
async function makeFolder(folder: string, inside: string): Promise<void> {
  const rejected = join(folder, REJECTED);
  try {
    await mkdir(rejected);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' || !(await stat(rejected)).isDirectory()) throw error;
  }
  await mkdir(join(rejected, inside), { recursive: true });
}

/** Creates an empty file under the first free name: `a.json`, `a (2).json`. Returns its path. */
async function reserve(folder: string, path: string): Promise<string> {
  const end = extname(path);
  const start = path.slice(0, path.length - end.length);
  for (let i = 1; ; i++) {
    const free = i === 1 ? path : `${start} (${i})${end}`;
    if (await take(join(folder, free))) return free;
  }
}

/** Returns whether a name was free. A crash, or another watcher, may have left an empty file under it, and a note. */
async function take(path: string): Promise<boolean> {
  const [file, note] = await Promise.all([sizeOf(path), sizeOf(`${path}.txt`)]);
  if (file !== undefined) return file === 0;
  if (note !== undefined) return false;
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    // Another watcher has taken it just now, probably for the same file.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return take(path);
    throw error;
  }
}

/** Gives a name back that was taken for nothing. No watcher can fill it now, because its file is gone. */
async function release(path: string): Promise<void> {
  if ((await sizeOf(path)) !== 0) return;
  await rm(path, { force: true });
  await rm(`${path}.txt`, { force: true });
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats.size : Infinity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Moves a file to another device. Returns false if it was written to meanwhile, and then leaves it where it is. */
async function copyAcross(
  from: string,
  to: string,
  isSame: () => Promise<boolean>,
): Promise<boolean> {
  const copy = join(dirname(to), `.${basename(to)}.part`);
  try {
    await copyFile(from, copy);
    const file = await open(copy, 'r+');
    try {
      const { atime, mtime } = await stat(from);
      await file.utimes(atime, mtime);
      await file.sync(); // before the original is deleted
    } finally {
      await file.close();
    }
    if (!(await isSame())) return false;
    await rename(copy, to);
    await unlink(from);
    return true;
  } finally {
    await rm(copy, { force: true });
  }
}
