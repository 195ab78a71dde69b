// Reads zip archives, one entry at a time, after checking that the whole archive is safe.

import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';

import type { ByteStream } from '../../formats/bytes.ts';
import type { MaybeTime } from '../../formats/time/product-time.ts';
import { Refusal } from '../../store/refusal.ts';
import { exclusionOf, isHidden, toReadRefusal, type OpenFile } from './import-folder.ts';

/** An entry in the directory of an archive, and the archive, which is open until the directory has been read. */
interface OpenEntry {
  readonly zip: ZipFile;
  readonly entry: Entry;
}

/** Lists the directory of an archive. Throws `Refusal` if it has none, or if a path in it leads out of it. */
async function* readDirectory(open: OpenFile): AsyncGenerator<OpenEntry> {
  let zip: ZipFile | undefined;
  try {
    zip = await openZip(open);
    for await (const entry of zip.eachEntry()) yield { zip, entry };
  } catch (error) {
    throw toRefusal(error);
  } finally {
    zip?.close();
  }
}

/** Unpacks an entry. Throws `Refusal` if it is damaged, or if its size is not the one in the directory. */
async function* unpackEntry(open: OpenFile, { zip, entry }: OpenEntry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    // Opening the archive takes longer than unpacking a short entry, so it is opened once if possible.
    const opened = zip.isOpen ? zip : await openZip(open);
    const stream = await opened.openReadStreamPromise(entry).finally(() => {
      if (opened !== zip) opened.close(); // the file closes after the stream
    });
    for await (const chunk of stream) {
      sum = crc32(chunk as Uint8Array, sum);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw toRefusal(error);
  }
  if (sum !== entry.crc32) throw new Refusal('it is damaged in its archive: its checksum is wrong');
}

/** Creates the error for an archive that is not read. */
function refuseArchive(why: string): Refusal {
  return new Refusal(`this zip archive is refused: ${why}`);
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) throw error;
  return 'syscall' in error
    ? toReadRefusal(error)
    : refuseArchive(error.message.replace(/\.$/, ''));
}

type Reader = RandomAccessReader;
type Done = (error: Error | null, bytes?: number) => void;
/** The arguments of `fs.read()`. */
type ReadArguments = [buffer: Buffer, offset: number, length: number, position: number, done: Done];

const NOTHING = { bytesRead: 0 };
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens an archive with a reader of our own, which has the methods that yauzl documents, the one with a
 * leading underscore included. yauzl's reader passes any position in the archive to
 * `fs.read()`, which throws for impossible ones in a callback, where nothing catches it.
 */
async function openZip(open: OpenFile): Promise<ZipFile> {
  const file = await open();
  try {
    const { size } = await file.stat();
    const reader = Object.assign(new (RandomAccessReader as unknown as new () => Reader)(), {
      read: (...[buffer, offset, length, position, done]: ReadArguments) => {
        const isIn = position >= 0 && position + length <= size;
        const reading = isIn ? file.read(buffer, offset, length, position) : NOTHING;
        Promise.resolve(reading).then(({ bytesRead }) => done(null, bytesRead), done);
      },
      close: (done: Done) => void file.close().then(() => done(null), done),
      _readStreamForRange: (start: number, end: number) =>
        Readable.from(readRange(file, start, end), { objectMode: false }),
    });
    return await fromRandomAccessReaderPromise(reader, size, {
      lazyEntries: true,
      autoClose: false,
    });
  } catch (error) {
    await file.close();
    if (!(error instanceof Error) || 'syscall' in error) throw error;
    throw new Refusal('it is not a zip archive, or it is cut off; copy it or export it again', {
      cause: error,
    });
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

/** An entry of an archive. `size` is in bytes when unpacked; `open` yields that many, or throws `Refusal`. */
export type ZipEntry = { readonly name: string } & (
  | { readonly size: number; readonly modified: MaybeTime; open(): ByteStream }
  | { readonly skipped: string }
  | { readonly reason: string }
);

const MAX_ENTRIES = 1_000_000;
/** An archive is refused if it exceeds both: text shrinks to a tenth, and small archives do no harm. */
const MAX_RATIO = 100;
const MAX_UNPACKED_BYTES = 100e6;
const LOCAL_HEADER_BYTES = 30;

/**
 * Reads the entries of an archive in its own order. Throws `Refusal` before the first entry if it is
 * not an archive, has unsafe paths or overlapping entries, or would unpack to far more than its size.
 */
export async function* readZip(open: OpenFile, bytes: number): AsyncGenerator<ZipEntry> {
  await requireSafe(open, bytes);
  for await (const found of readDirectory(open)) {
    const { fileName: name } = found.entry;
    if (!name.endsWith('/') && !isHidden(name)) yield { name, ...classify(open, found) };
  }
}

async function requireSafe(open: OpenFile, bytes: number): Promise<void> {
  const spans: { readonly start: number; readonly end: number }[] = [];
  let unpacked = 0;
  for await (const { entry } of readDirectory(open)) {
    const start = entry.relativeOffsetOfLocalHeader;
    const header = LOCAL_HEADER_BYTES + entry.fileNameLength;
    spans.push({ start, end: start + header + entry.compressedSize });
    unpacked += entry.uncompressedSize;
    if (spans.length > MAX_ENTRIES)
      throw refuseArchive(`it has more than ${MAX_ENTRIES.toLocaleString('en')} entries`);
  }
  if (unpacked > MAX_UNPACKED_BYTES && unpacked > bytes * MAX_RATIO)
    throw refuseArchive(`it would unpack to more than ${MAX_RATIO} times its size`);
  spans.sort((a, b) => a.start - b.start);
  if (spans.some(({ end }, i) => end > (spans[i + 1]?.start ?? bytes)))
    throw refuseArchive('its entries overlap');
}

function classify(open: OpenFile, found: OpenEntry) {
  const { entry } = found;
  const { fileName: name, uncompressedSize: size } = entry;
  const exclusion = exclusionOf(name, isLink(entry));
  if (exclusion !== undefined) return exclusion;
  if (entry.isEncrypted()) return { reason: 'it is encrypted; unpack the archive first' };
  if (!entry.canDecodeFileData())
    return {
      reason: `its compression method ${entry.compressionMethod} is not supported; unpack the archive first`,
    };
  return { size, modified: modifiedOf(entry), open: () => unpackEntry(open, found) };
}

function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

const TIME_FIELDS = new Set([0x5455, 0x000a]); // of Info-ZIP and NTFS, with UTC times
const FIRST_DAY = 0x21; // 1980-01-01 stands for an unknown date

/** Returns when an entry was modified, as a UTC time or as a local time without an offset. */
function modifiedOf(entry: Entry): MaybeTime {
  if (entry.extraFields.some(({ id }) => TIME_FIELDS.has(id)))
    return entry.getLastModDate().toISOString();
  if (entry.lastModFileDate <= FIRST_DAY) return undefined;
  return entry.getLastModDate({ timezone: 'UTC' }).toISOString().slice(0, 19);
}
