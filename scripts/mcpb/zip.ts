// Writes a zip archive of a few files, with the modes of Unix. Node compresses, but writes no archives.

import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

/** A file of an archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable?: boolean;
}

const DEFLATE = 8;
const UTF8 = 1 << 11;
/** Version 2.0 of the format, and in the directory: written on Unix, so that modes count. */
const VERSION = 20;
const UNIX = 3 << 8;
/** 1 January 1980, the first day of the format: the same files give the same bytes. */
const DATE = 0x21;

/** Returns the bytes of an archive (APPNOTE 4.3). Files may have 4 GB together. */
export async function zip(entries: readonly Entry[]): Promise<Buffer> {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes, isExecutable = false } of entries) {
    const packed = await promisify(deflateRaw)(bytes);
    const about = Buffer.concat([
      numbers(2, VERSION, UTF8, DEFLATE, 0, DATE),
      numbers(4, crc32(bytes), packed.length, bytes.length),
      numbers(2, Buffer.byteLength(name), 0),
    ]);
    const mode = isExecutable ? 0o100755 : 0o100644;
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name)]);
    directory.push(
      Buffer.from('PK\x01\x02'),
      numbers(2, UNIX | VERSION),
      about,
      numbers(2, 0, 0, 0, 0, mode),
      numbers(4, offset),
      Buffer.from(name),
    );
    files.push(file, packed);
    offset += file.length + packed.length;
  }
  const { length } = Buffer.concat(directory);
  const end = [
    Buffer.from('PK\x05\x06'),
    numbers(2, 0, 0, entries.length, entries.length),
    numbers(4, length, offset),
    numbers(2, 0),
  ];
  return Buffer.concat([...files, ...directory, ...end]);
}

/** Writes numbers of some bytes each, the lowest byte first. */
function numbers(size: 2 | 4, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [i, value] of values.entries()) bytes.writeUIntLE(value, i * size, size);
  return bytes;
}
