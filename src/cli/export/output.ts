// Writes an export to standard output, at the pace of its reader, or to a file that appears only when it is complete.

import { closeSync, constants, openSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { engineOf } from '../../store/engines.ts';
import { createFileAsync } from '../../store/files/atomic-file.ts';
import { Refusal } from '../../store/refusal.ts';
import type { OutputStream } from '../context.ts';
import { statOf, toStdoutRefusal } from '../output/print.ts';

/** Writes bytes. The buffer can be used again when the promise resolves. */
export type WriteBytes = (bytes: Uint8Array) => void | Promise<void>;

/** The file or folder of an export. */
export interface ExportTarget {
  readonly path: string;
  readonly overwrite: boolean;
  /** The database that is exported. Its files are never replaced or created. */
  readonly database: string;
}

/** Creates the function that writes to standard output. It throws or rejects with `Refusal` if that is closed or full. */
export function writeToStdout(stdout: OutputStream): WriteBytes {
  const { fd } = stdout;
  if (fd !== undefined && statOf(stdout)?.isFile()) return (bytes) => writeToStdoutFile(fd, bytes);
  const { stream } = stdout;
  stream.on('error', () => {}); // each write reports its own error
  return (bytes) =>
    new Promise((done, fail) => {
      stream.write(bytes, (error) => (error ? fail(toStdoutRefusal(error)) : done()));
    });
}

/** Writes to a file. Node's stream reports success if a full disk takes only some of the bytes. */
function writeToStdoutFile(fd: number, bytes: Uint8Array): void {
  try {
    writeFileSync(fd, bytes);
  } catch (error) {
    throw toStdoutRefusal(error);
  }
}

/**
 * Calls `fill` to write a temporary file that only its owner can read, and renames it when it is
 * complete and on the disk. Rejects with `Refusal` if the name is taken or the disk is full.
 */
export async function writeToFile<T>(
  target: ExportTarget,
  fill: (write: WriteBytes) => Promise<T>,
): Promise<T> {
  const where = target.overwrite ? 'replace' : 'refuse';
  return createFileAsync(pathOf(target), { where }, async (draft) => {
    try {
      return await writeDraft(draft, fill);
    } catch (error) {
      throw toWriteRefusal(error, target.path);
    }
  });
}

/** Returns the path of the file to write, with links resolved. Throws `Refusal` if it may not be replaced. */
function pathOf(target: ExportTarget): string {
  const { path, overwrite } = target;
  refuseDatabaseFiles(target);
  const found = statPath(path);
  if (found === undefined) return resolve(path);
  if (!found.isFile()) throw new Refusal(`${path} is not a file; name a file.`);
  if (!overwrite)
    throw new Refusal(`${path} exists already; give another name, or add --overwrite.`);
  return realpathSync(path);
}

/** Throws `Refusal` if the path is the exported database or one of its files. */
export function refuseDatabaseFiles({ path, database }: ExportTarget): void {
  if (engineOf(database).owns(path))
    throw new Refusal(`${path} belongs to the database; choose another name.`);
}

/** Returns the stats of a path, undefined if it does not exist. Throws `Refusal` if that cannot be found out. */
export function statPath(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${path} cannot be reached (${code}); check the permissions of its folders.`);
  }
}

async function writeDraft<T>(draft: string, fill: (write: WriteBytes) => Promise<T>): Promise<T> {
  const file = openSync(draft, constants.O_RDWR | constants.O_NOFOLLOW); // others may write in its folder
  try {
    return await fill((bytes) => writeFileSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Turns an error of the file system into a `Refusal`. Returns other errors unchanged. */
export function toWriteRefusal(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const advice = isFull ? 'the disk is full; free some space' : 'check the permissions there';
  return new Refusal(`${path} could not be written (${code}); ${advice}.`, { cause: error });
}
