// Content codings: which one the caller takes, and the compressors, all off the main thread.

import type { NonSharedBuffer } from 'node:buffer';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

import Negotiator from 'negotiator';

/** A content coding that the gateway can make. */
export type Coding = 'zstd' | 'br' | 'gzip';

/** Bodies below this many bytes are not worth compressing. */
export const MIN_BYTES = 1024;

// Of 499 kB of JSON, measured: zstd 3 in 6 ms, br 4 in 11 ms, gzip 6 in 13 ms, all to about 36 %.
const PREFERRED: Coding[] = ['zstd', 'br', 'gzip'];
const zstd: zlib.ZstdOptions = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } };
const br: zlib.BrotliOptions = {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 4,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 19, // 512 KiB: each stream holds several times as much
  },
};

const whole = {
  zstd: promisify<zlib.InputType, zlib.ZstdOptions, NonSharedBuffer>(zlib.zstdCompress),
  br: promisify<zlib.InputType, zlib.BrotliOptions, NonSharedBuffer>(zlib.brotliCompress),
  gzip: promisify<zlib.InputType, NonSharedBuffer>(zlib.gzip),
};

/** What negotiator 1 can do and its types do not know: break ties by our order, not the caller's. */
interface WithPreference {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

// Callers are of a few kinds, each with a header of its own.
const negotiated = new Map<string, Coding | undefined>();
const MOST_NEGOTIATED = 100;

/** Chooses a coding by `accept-encoding`; undefined means the bytes as they are. */
export function negotiate(acceptEncoding: readonly string[]): Coding | undefined {
  if (acceptEncoding.length === 0) return undefined;
  const wanted = acceptEncoding.join(',');
  if (!negotiated.has(wanted)) {
    if (negotiated.size >= MOST_NEGOTIATED) negotiated.clear();
    negotiated.set(wanted, negotiateAnew(wanted));
  }
  return negotiated.get(wanted);
}

function negotiateAnew(wanted: string): Coding | undefined {
  const request = { headers: { 'accept-encoding': wanted } };
  const available = [...PREFERRED, 'identity'];
  const negotiator: WithPreference = new Negotiator(request);
  const best = negotiator.encodings(available, { preferred: available })[0];
  return PREFERRED.find((coding) => coding === best);
}

/** Compresses a whole body, in a thread of its own. */
export function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  if (coding === 'zstd') return whole.zstd(bytes, zstd);
  return coding === 'br' ? whole.br(bytes, br) : whole.gzip(bytes);
}

const packed = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array<ArrayBuffer>>>>();

/** Compresses bytes that stay the same, and keeps the result for as long as they are kept. */
export function compressOnce(bytes: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const kept = packed.get(bytes) ?? new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const found = kept.get(coding);
  if (found !== undefined) return found;
  const made = compress(bytes, coding);
  packed.set(bytes, kept.set(coding, made));
  made.catch(() => kept.delete(coding)); // to be tried again
  return made;
}

/** Makes a stream that compresses what passes, in a thread of its own. */
export function compressor(coding: Coding): Transform {
  if (coding === 'zstd') return zlib.createZstdCompress(zstd);
  return coding === 'br' ? zlib.createBrotliCompress(br) : zlib.createGzip();
}
