// Output: bytes to standard output no faster than they are read, or to a file that is there when it is whole.

import { closeSync, fstatSync, openSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { isPostgres } from '../../store/address.ts';
import { Refusal } from '../../store/refusal.ts';
import { belongsTo } from '../../store/sqlite/beside.ts';
import { createSafely } from '../../store/sqlite/create.ts';
import { unprinted } from '../print.ts';

/** Takes bytes; they may be used for others when it has resolved. */
export type Write = (bytes: Uint8Array) => void | Promise<void>;

/** Where something is written to, and whether it may take the place of what is there. */
export interface Target {
  readonly path: string;
  readonly overwrite: boolean;
  /** The database that is read: neither it nor what SQLite keeps beside it is ever replaced, or made. */
  readonly spare: string;
}

const STDOUT = 1;

/** Makes the function that writes to standard output; it fails with `Refusal` when that is closed or full. */
export function toStandardOutput(): Write {
  if (fstatSync(STDOUT).isFile()) return writeToFile;
  process.stdout.on('error', () => {}); // each write is told of its own
  return (bytes) =>
    new Promise((done, fail) => {
      process.stdout.write(bytes, (error) => (error ? fail(unprinted(error)) : done()));
    });
}

/** Node's own stream takes a part of the bytes for all of them where a disk gets full. */
function writeToFile(bytes: Uint8Array): void {
  try {
    writeFileSync(STDOUT, bytes);
  } catch (error) {
    throw unprinted(error);
  }
}

/**
 * Has `fill` write a draft, readable by its owner alone, which gets its name when it is whole and on
 * the disk. Fails with `Refusal` when the name is taken, or there is no room.
 */
export async function toFile<T>(target: Target, fill: (write: Write) => Promise<T>): Promise<T> {
  const where = target.overwrite ? 'replace' : 'refuse';
  return createSafely(placeOf(target), { where }, async (draft) => {
    try {
      return await writeDraft(draft, fill);
    } catch (error) {
      throw unwritten(error, target.path);
    }
  });
}

/** Finds where a file goes to, through links. */
function placeOf(target: Target): string {
  const { path, overwrite } = target;
  requireSpared(target);
  const found = lookAt(path);
  if (found === undefined) return resolve(path);
  if (!found.isFile()) throw new Refusal(`${path} is not a file; name a file.`);
  if (!overwrite)
    throw new Refusal(`${path} is there already; name another file, or add --overwrite.`);
  return realpathSync(path);
}

/** Fails with `Refusal` where a path is the database that is read, or is what SQLite would take for a part of it. */
export function requireSpared({ path, spare }: Target): void {
  if (!isPostgres(spare) && belongsTo(spare, path))
    throw new Refusal(`${path} belongs to the database; choose another name.`);
}

/** What is at a path, if there is anything. Fails with `Refusal` when that cannot be told. */
export function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${path} cannot be reached (${code}); check the permissions of its folders.`);
  }
}

async function writeDraft<T>(draft: string, fill: (write: Write) => Promise<T>): Promise<T> {
  const file = openSync(draft, 'r+');
  try {
    return await fill((bytes) => writeFileSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Turns an error of the file system into a sentence for people; others stay as they are. */
export function unwritten(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const advice = isFull ? 'the disk is full; free some space' : 'check the permissions there';
  return new Refusal(`${path} could not be written (${code}); ${advice}.`, { cause: error });
}
