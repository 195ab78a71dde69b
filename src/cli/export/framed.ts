// Framed: memories one after the other, byte for byte, with what their format has around them.

import { createHash } from 'node:crypto';

import { release } from '../../store/bytes.ts';
import type { Batches } from '../../store/snapshot.ts';
import type { Write } from './output.ts';

/** What stands before the first memory, between two and behind the last; and what is written where there is none. */
export interface Frame {
  readonly start: string;
  readonly between: string;
  readonly end: string;
  readonly empty: string;
}

/** The frames of formats: JSON Lines, and one array with a memory on each line. */
export const FRAMES = {
  jsonl: { start: '', between: '\n', end: '\n', empty: '' },
  json: { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' },
} as const satisfies Record<string, Frame>;

/** Writes memories in a frame; returns how many, and the SHA-256 of all that was written. */
export async function writeFramed(
  batches: Batches,
  { start, between, end, empty }: Frame,
  write: Write,
): Promise<{ memories: number; sha256: string }> {
  const digest = createHash('sha256');
  let memories = 0;
  for await (const items of batches) {
    const parts = items.flatMap(({ bytes }, i) => [
      Buffer.from(memories + i === 0 ? start : between),
      bytes,
    ]);
    await put(Buffer.concat(parts));
    for (const { bytes } of items) release(bytes);
    memories += items.length;
  }
  await put(Buffer.from(memories === 0 ? empty : end));
  return { memories, sha256: digest.digest('hex') };

  async function put(bytes: Buffer<ArrayBuffer>): Promise<void> {
    digest.update(bytes);
    await write(bytes);
    release(bytes);
  }
}
