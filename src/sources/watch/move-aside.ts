// Moves a file that cannot be read to the folder `rejected`, with a note beside it.

import { constants, lstat, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { inFolder } from '../../lib/inside.ts';
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
 * changed. Overwrites nothing and follows no link. Rejects with the error of the file system.
 */
export function moveAside(
  folder: string,
  { name, facts, note }: UnreadableFile,
): Promise<string | undefined> {
  const inside = dirname(name);
  return inFolder(folder, inside, async (at) => {
    const from = join(at, basename(name));
    if (!(await isSame(from, facts))) return undefined;
    const work = async (rejected: string) => {
      const moved = await moveInto(rejected, from, { name: basename(name), facts, note });
      return moved && join(REJECTED, inside, moved);
    };
    return inFolder(folder, `${REJECTED}/${inside}`, work, true);
  });
}

/** Moves a file into a folder under the first free name. Returns the name. */
async function moveInto(
  folder: string,
  from: string,
  { name, facts, note }: UnreadableFile,
): Promise<string | undefined> {
  // The note comes first, because a move without its note would not be repeated after a crash.
  const free = await takeName(folder, name, note);
  let isMoved = false;
  try {
    isMoved = await move(from, join(folder, free), facts);
  } finally {
    if (!isMoved) await rm(join(folder, `${free}.txt`), { force: true });
  }
  return isMoved ? free : undefined;
}

/** Writes the note of the first free name: `a.json`, `a (2).json`. Who has its note has the name. */
async function takeName(folder: string, name: string, note: string): Promise<string> {
  const end = extname(name);
  const start = name.slice(0, name.length - end.length);
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : `${start} (${i})${end}`;
    const path = join(folder, free);
    if ((await lookAt(path)) === undefined && (await create(`${path}.txt`, note))) return free;
  }
}

/** Writes a new file. Returns false if there is one of that name, or a link. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    await rm(path, { force: true }); // the disk is full
    throw error;
  }
}

/** Returns false if the file is gone, because another watcher was faster, or if it has changed. */
async function move(from: string, to: string, facts: FileFacts): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code === 'EXDEV') return copyAcross(from, to, facts);
    throw error;
  }
}

async function lookAt(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function isSame(path: string, facts: FileFacts): Promise<boolean> {
  const now = await lookAt(path);
  return now !== undefined && isUntouched(facts, factsOf(now));
}

/** Moves a file to another device. Returns false if it was written to meanwhile, and then leaves it where it is. */
async function copyAcross(from: string, to: string, facts: FileFacts): Promise<boolean> {
  const part = join(dirname(to), `.${basename(to)}.part`);
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const copy = await open(part, 'wx');
    try {
      await copy.writeFile(source.createReadStream({ autoClose: false }));
      const { atime, mtime } = await source.stat();
      await copy.utimes(atime, mtime);
      await copy.sync(); // before the original is deleted
    } finally {
      await copy.close();
    }
    if (!(await isSame(from, facts))) return false;
    await rename(part, to);
    await unlink(from);
    return true;
  } finally {
    await source.close();
    await rm(part, { force: true });
  }
}
