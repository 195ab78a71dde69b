// Recordings: files below a folder that the operator has named. They are read as they are; nothing is stored or converted.

import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import type { FileParts } from '../../../contract/handlers.ts';
import { isPathBelow } from '../../../lib/below.ts';
import { soundTypeOf } from '../../../lib/media-types.ts';

/** Returns the folder with the recordings of an account, or undefined if it has none. */
export type AudioFolderOf = (account_id: string) => string | undefined;

/** A recording as it is now. */
export interface Recording {
  readonly etag: string;
  readonly type: string;
  readonly body: FileParts;
}

/** How many bytes are read at a time. */
const PART_BYTES = 128 * 1024;

/** What the file system says of a path at which there is no file, or a link, a socket or a device. */
const MISSING = new Set(
  'ENOENT ENOTDIR ELOOP EINVAL ENAMETOOLONG EMLINK ENXIO ENODEV EOPNOTSUPP'.split(' '),
);

/**
 * Finds a recording by its path below a folder. Returns undefined if there is none, or a file of another kind: the
 * path is from an import, so it may name anything. It never leads out of the folder, also not through links.
 */
export async function findRecording(folder: string, path: string): Promise<Recording | undefined> {
  const type = soundTypeOf(path);
  if (type === undefined || !isPathBelow(path)) return undefined;
  // Loaded here, because most servers have no recordings.
  const { openInside } = await import('../../../lib/inside.ts');
  const open = () => openInside(folder, path.replaceAll('\\', '/'));
  try {
    const file = await open();
    const { size, etag } = await stateOf(file);
    await file.close();
    return { etag, type, body: { size, read: (start, end) => readPart({ start, end, etag }) } };
  } catch (error) {
    if (MISSING.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }

  // Opened again, because nobody tells whether a response is ever read.
  async function* readPart({ start, end, etag }: PartToRead) {
    const file = await open();
    try {
      if ((await stateOf(file)).etag !== etag) throw changed();
      for (let at = start; at < end;) {
        const part = new Uint8Array(Math.min(PART_BYTES, end - at));
        const { bytesRead } = await file.read(part, 0, part.length, at);
        if (bytesRead === 0) throw changed();
        at += bytesRead;
        yield bytesRead === part.length ? part : part.slice(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
}

interface PartToRead {
  readonly start: number;
  readonly end: number;
  readonly etag: string;
}

async function stateOf(file: FileHandle) {
  const { size, mtimeNs, ino } = await file.stat({ bigint: true });
  return { size: Number(size), etag: hash('sha256', [size, mtimeNs, ino].join(' ')) };
}

function changed(): Error {
  return new Error('The recording was changed while it was sent.');
}
