// The temporary file in which parts of memories wait for their other parts.

import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PartStore } from '../../formats/join.ts';
import { Refusal } from '../../store/refusal.ts';

/** A store that is deleted when it is closed. */
export interface PartFile extends PartStore {
  close(): Promise<void>;
}

/** Creates a store of texts in a file. The file is created for the first text, in the folder for temporary files. */
export function createPartFile(): PartFile {
  const spans: { readonly start: number; readonly bytes: number }[] = [];
  let end = 0;
  let opened: Promise<OpenFile> | undefined;

  return {
    async put(text) {
      const bytes = Buffer.from(text);
      try {
        const { file } = await (opened ??= openFile());
        await file.appendFile(bytes); // "write" may write less on a disk that fills up
      } catch (error) {
        throw toRefusal(error);
      }
      end += bytes.length;
      return spans.push({ start: end - bytes.length, bytes: bytes.length }) - 1;
    },
    async get(number) {
      const { start, bytes } = spans[number] as (typeof spans)[number];
      const buffer = Buffer.alloc(bytes);
      const { file } = await (opened as Promise<OpenFile>);
      const { bytesRead } = await file.read(buffer, 0, bytes, start);
      if (bytesRead < bytes) throw new Refusal('The temporary file of the import was cut off.');
      return buffer.toString();
    },
    async close() {
      const file = await opened?.catch(() => undefined);
      await file?.close();
    },
  };
}

interface OpenFile {
  readonly file: FileHandle;
  close(): Promise<void>;
}

async function openFile(): Promise<OpenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-gateway-import-'));
  const file = await open(join(folder, 'parts'), 'wx+', 0o600);
  const remove = () => rm(folder, { recursive: true, force: true });
  // Without a name, the file also ends with a process that is killed. Windows keeps the name of an open file.
  if (process.platform !== 'win32') await remove();
  return {
    file,
    async close() {
      await file.close();
      await remove();
    },
  };
}

function toRefusal(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new Refusal(
    `A temporary file in ${tmpdir()} cannot be written (${code}); make room there, or set TMPDIR to another folder`,
    { cause: error },
  );
}
