// Writes zip archives, valid and invalid ones.

import { constants, crc32, deflateRawSync } from 'node:zlib';

/** An entry. Fields that are left out get valid values. */
export interface Zipped {
  readonly name: string;
  readonly data?: string | Uint8Array;
  readonly method?: number;
  /** The bytes in the archive. */
  readonly packed?: Uint8Array;
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  /** The offset that the directory gives for it. */
  readonly at?: number;
  readonly mode?: number;
  /** In DOS format: days, and units of two seconds. */
  readonly day?: number;
  readonly time?: number;
  readonly extra?: Uint8Array;
}

const UTF8 = 0x800;

/** Writes an archive: the entries in order, then their directory. */
export function zipOf(entries: readonly Zipped[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { name, extra = Buffer.of(), mode = 0o100644, method = 8, flags = UTF8 } = entry;
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(entry.time ?? 0, 6);
    common.writeUInt16LE(entry.day ?? 0x21, 8);
    common.writeUInt32LE(entry.crc ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.size ?? data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    common.writeUInt16LE(extra.length, 24);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), extra]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(entry.at ?? at, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, rest, Buffer.from(name), extra]),
    );
    parts.push(local, Buffer.from(packed));
    at += local.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const PIECE_BYTES = 64 * 1024 * 1024;

/**
 * Deflated zeros, which take a thousandth of their size. Each piece ends on a byte, so the same
 * piece can be repeated.
 */
export function deflatedZeros(pieces: number): { readonly packed: Buffer; readonly size: number } {
  const piece = deflateRawSync(Buffer.alloc(PIECE_BYTES), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const all = Array.from({ length: pieces }, () => piece);
  return { packed: Buffer.concat([...all, deflateRawSync('')]), size: pieces * PIECE_BYTES };
}
