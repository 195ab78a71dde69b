// Unpacks files that are compressed with gzip, while they are read.

import { createGunzip } from 'node:zlib';

import { peek, type ByteStream } from '../../formats/bytes.ts';
import { Refusal } from '../../store/refusal.ts';

/** Unpacks bytes that begin as gzip does, and passes others on. Throws `Refusal` behind what can be read if they are damaged or cut off. */
export async function* unpackGzip(bytes: ByteStream): ByteStream {
  const { head, whole } = await peek(bytes, 2);
  try {
    yield* head[0] === 0x1f && head[1] === 0x8b ? unpack(whole) : whole;
  } finally {
    await whole.return?.();
  }
}

/** How many bytes are unpacked at a time. They may become a thousand times as many. */
const PART_BYTES = 16 * 1024;

/** A stream would drop what it has unpacked before an error, so parts are passed to it one by one. */
async function* unpack(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let unpacked: Uint8Array[] = [];
  gunzip.on('data', (part: Uint8Array) => unpacked.push(part));
  const failed = new Promise<Error>((resolve) => gunzip.once('error', resolve));
  const take = () => {
    const taken = unpacked;
    unpacked = [];
    return taken;
  };
  const write = (part: Uint8Array) =>
    new Promise<undefined>((resolve) => gunzip.write(part, () => resolve(undefined)));
  const end = () => new Promise<undefined>((resolve) => gunzip.end().once('end', resolve));
  try {
    let error: Error | undefined;
    for await (const part of bytes)
      for (let at = 0; at < part.length && error === undefined; at += PART_BYTES) {
        error = await Promise.race([failed, write(part.subarray(at, at + PART_BYTES))]);
        yield* take();
      }
    error ??= await Promise.race([failed, end()]);
    yield* take();
    if (error) throw new Refusal('its gzip data is damaged or cut off', { cause: error });
  } finally {
    gunzip.destroy();
  }
}

/** Returns the name of a file without the ending that gzip adds. */
export function withoutGz(name: string): string {
  return name.replace(/\.gz$/i, '');
}
