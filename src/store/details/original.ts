// Originals: what memories were made from, compressed, and checked by their hash when they are read.

import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';

import type { PackedBytes } from '../../lib/packed-bytes.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { pack } from './pack.ts';

/** What a memory was made from. */
export interface GivenOriginal {
  readonly media_type: string;
  /** The bytes as they came, or packed. */
  readonly bytes: Uint8Array | PackedBytes;
  /** How they were read, as JSON. */
  readonly reading: string;
}

/** Returns the hash by which an original is stored. */
export function hashOfOriginal({ bytes }: GivenOriginal): string {
  return bytes instanceof Uint8Array ? hash('sha256', bytes) : bytes.sha256;
}

/** Returns the row of an original. */
export function toOriginalRow(
  account_id: string,
  { media_type, bytes }: GivenOriginal,
): DetailTables['originals'] {
  const { length, sha256, compressed } = bytes instanceof Uint8Array ? pack(bytes) : bytes;
  return { account_id, sha256, media_type, bytes: length, compressed };
}

/** Returns the bytes of an original, or undefined if its row is damaged. */
export function readOriginal({
  compressed,
  sha256,
  bytes,
}: Pick<DetailTables['originals'], 'compressed' | 'sha256' | 'bytes'>):
  | Uint8Array<ArrayBuffer>
  | undefined {
  try {
    // A damaged row must not be able to fill the memory.
    const whole = zstdDecompressSync(compressed, { maxOutputLength: Math.max(bytes, 1) });
    return hash('sha256', whole) === sha256 ? whole : undefined;
  } catch {
    return undefined;
  }
}
