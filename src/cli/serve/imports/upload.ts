// The files of an upload: parts of files become a folder that the importer reads.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { open, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { FilePart } from '../../../app/server/imports.ts';
import { Failure } from '../../../contract/failure.ts';

/** The most files of an upload. */
const MAX_FILES = 20_000;

/** A file that is uploaded. */
interface UploadedFile {
  readonly path: string;
  readonly name: string;
  readonly total: number;
  received: number;
}

/** An upload. */
export interface Upload {
  readonly folder: string;
  readonly files: () => number;
  readonly bytes: () => number;
  /** Whether there are files, and all of them whole. */
  readonly isWhole: () => boolean;
  /** Stores a part. Rejects with `Failure`. */
  readonly write: (part: FilePart) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Creates an upload in a new folder, for this user alone. */
export function createUpload(folder: string, maxBytes: number): Upload {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map<number, UploadedFile>();
  let bytes = 0;
  const begin = ({ n, name, total }: FilePart): UploadedFile => {
    if (files.size >= MAX_FILES)
      throw new Failure(
        413,
        `Import at most ${MAX_FILES} files at a time; put them into a zip archive.`,
      );
    if (bytes + total > maxBytes)
      throw new Failure(
        413,
        `Import at most ${maxBytes} bytes at a time, or ask the operator for a larger --max-upload.`,
      );
    bytes += total;
    const file = { path: createFile(folder, n, name), name, total, received: 0 };
    files.set(n, file);
    return file;
  };
  return {
    folder,
    files: () => files.size,
    bytes: () => bytes,
    isWhole: () =>
      files.size > 0 && files.values().every(({ received, total }) => received === total),
    async write(part) {
      const file = files.get(part.n) ?? begin(part);
      if (file.total !== part.total || file.name !== part.name)
        throw new Failure(
          422,
          'All parts of a file have one name and one size; begin another import.',
        );
      if (part.from > file.received)
        throw new Failure(409, `Continue this file at byte ${file.received}.`);
      await writePart(file.path, part);
      file.received = Math.max(file.received, part.from + part.bytes.length);
      if (file.received === file.total && part.modified !== undefined)
        await utimes(file.path, new Date(), new Date(part.modified));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function writePart(path: string, { bytes, from }: FilePart): Promise<void> {
  try {
    const file = await open(path, 'r+');
    try {
      // On a disk that fills up, the first write is short, and only the next one fails.
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, from + done);
        done += bytesWritten;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new Failure(
      503,
      'The disk of this gateway is full, so nothing was imported; ask its operator for space.',
    );
  }
}

function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EFBIG)$/.test(String((error as NodeJS.ErrnoException).code));
}

/** Creates an empty file below a folder. If its place is taken or its name too long, it gets a folder of its own and a shorter name. */
function createFile(folder: string, n: number, name: string): string {
  const segments = segmentsOf(name);
  for (const place of [segments, [`file ${n}`, endsOf(segments.at(-1) ?? 'file')]]) {
    const path = join(folder, ...place);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch (error) {
      if (isFull(error))
        throw new Failure(
          503,
          'The disk of this gateway is full, so nothing was imported; ask its operator for space.',
        );
      if (
        !/^(EEXIST|ENOTDIR|EISDIR|ENAMETOOLONG)$/.test(
          String((error as NodeJS.ErrnoException).code),
        )
      )
        throw error;
    }
  }
  throw new Failure(422, 'Two files have the same name; import them one after the other.');
}

/** The most folders of a path. */
const MAX_DEPTH = 12;

/** How much of both ends of a name is kept, in characters of up to 3 bytes. A system takes 255 bytes, and some file systems 143. */
const KEPT = 22;

/** Returns both ends of a long name. One of them has the date, and the last one the type. */
function endsOf(name: string): string {
  return name.length <= 2 * KEPT ? name : `${name.slice(0, KEPT)}…${name.slice(-KEPT)}`;
}

/** Splits the path of a file into names that stay below a folder. */
function segmentsOf(name: string): string[] {
  const segments = name
    .split(/[/\\]/)
    .map((segment) =>
      segment
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '_')
        .trim(),
    )
    .filter((segment) => !/^\.{0,2}$/.test(segment));
  return segments.length === 0 ? ['file'] : segments.slice(-MAX_DEPTH);
}
