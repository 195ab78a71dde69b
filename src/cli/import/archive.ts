// Archives as the zip library reads them: their directory, and the bytes of an entry.

import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';

import { Refusal } from '../../store/refusal.ts';
import { unreadable } from './folder.ts';

/** Lists the directory of an archive. Fails with `Refusal` where it has none, or a path in it leads out of it. */
export async function* directoryOf(path: string): AsyncGenerator<Entry> {
  try {
    yield* (await openZip(path)).eachEntry();
  } catch (error) {
    throw explain(error);
  }
}

/** Unpacks an entry, at most to the size that the directory says. Fails with `Refusal` where it is of another, or damaged. */
export async function* unpack(path: string, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    const zip = await openZip(path);
    // It closes when the stream has.
    const stream = await zip.openReadStreamPromise(entry).finally(() => zip.close());
    for await (const chunk of stream) {
      sum = crc32(chunk as Uint8Array, sum);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw explain(error);
  }
  if (sum !== entry.crc32)
    throw new Refusal('it is damaged in its archive: its checksum is another');
}

/** Says why an archive is not read. */
export function refused(why: string): Refusal {
  return new Refusal(`it is refused as a zip archive: ${why}`);
}

function explain(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) throw error;
  return 'syscall' in error ? unreadable(error) : refused(error.message.replace(/\.$/, ''));
}

type Reader = RandomAccessReader;
type Done = (error: Error | null, bytes?: number) => void;
/** What `fs.read()` is asked. */
type Asked = [buffer: Buffer, offset: number, length: number, position: number, done: Done];

const NOTHING = { bytesRead: 0 };
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens an archive. Not by the library's own reader, as that asks the file system for any place that
 * an archive names, and Node throws where no file can be as long: in a callback, where nobody catches it.
 */
async function openZip(path: string): Promise<ZipFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const reader = Object.assign(new (RandomAccessReader as unknown as new () => Reader)(), {
      read: (...[buffer, offset, length, position, done]: Asked) => {
        const isIn = position >= 0 && position + length <= size;
        const reading = isIn ? file.read(buffer, offset, length, position) : NOTHING;
        Promise.resolve(reading).then(({ bytesRead }) => done(null, bytesRead), done);
      },
      close: (done: Done) => void file.close().then(() => done(null), done),
      _readStreamForRange: (start: number, end: number) =>
        Readable.from(readRange(file, start, end), { objectMode: false }),
    });
    return await fromRandomAccessReaderPromise(reader, size);
  } catch (error) {
    await file.close();
    if (!(error instanceof Error) || 'syscall' in error) throw error;
    throw new Refusal('it is no zip archive, or is cut off', { cause: error });
  }
}

async function* readRange(file: FileHandle, start: number, end: number) {
  for (let at = start; at < end;) {
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
