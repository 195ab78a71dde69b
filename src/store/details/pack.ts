// Packs bytes: compresses and hashes them, all at once or part by part.

import { createHash, hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';

import type { PackedBytes, Packer } from '../../lib/packed-bytes.ts';

// Measured on 9 kB of JSON: level 3 took 60 µs, level 6 330 µs, both to a seventh.
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Packs bytes. */
export function pack(bytes: Uint8Array): PackedBytes {
  return {
    length: bytes.length,
    sha256: hash('sha256', bytes),
    compressed: zstdCompressSync(bytes, {
      ...LEVEL,
      // With its size known, a small original takes small tables instead of megabytes.
      pledgedSrcSize: bytes.length,
      // The result is a view of buffers of this size, which live as long as it does.
      chunkSize: Math.max(constants.Z_MIN_CHUNK, Math.min(bytes.length, constants.Z_DEFAULT_CHUNK)),
    }),
  };
}

/** Creates a packer of bytes that come part by part. */
export function createPacker(): Packer {
  const digest = createHash('sha256');
  const encoder = createZstdCompress(LEVEL);
  const packed: Buffer[] = [];
  let length = 0;
  encoder.on('data', (part: Buffer) => packed.push(part));

  return {
    async add(part) {
      digest.update(part);
      length += part.length;
      await new Promise<void>((resolve, reject) => {
        encoder.write(part, (error) => (error ? reject(error) : resolve()));
      });
    },
    async end() {
      encoder.end();
      await finished(encoder);
      return { length, sha256: digest.digest('hex'), compressed: Buffer.concat(packed) };
    },
    release() {
      encoder.destroy();
    },
  };
}
