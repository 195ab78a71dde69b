// Writes memories as JSON Lines or as a JSON array, with exactly the stored bytes.

import { createHash } from 'node:crypto';

import { releaseBytes } from '../../store/bytes.ts';
import type { Batches } from '../../store/engine.ts';
import type { WriteBytes } from './output.ts';

/** The text before the first memory, between two, after the last, and the whole text if there are none. */
export interface JsonFrame {
  readonly start: string;
  readonly between: string;
  readonly end: string;
  readonly empty: string;
}

/** The frames of the formats: JSON Lines, and an array with one memory on each line. */
export const JSON_FRAMES = {
  jsonl: { start: '', between: '\n', end: '\n', empty: '' },
  json: { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' },
} as const satisfies Record<string, JsonFrame>;

/** Writes memories in a frame. Resolves with their number and the SHA-256 of all bytes. */
export async function writeJson(
  batches: Batches,
  { start, between, end, empty }: JsonFrame,
  write: WriteBytes,
): Promise<{ memories: number; sha256: string }> {
  const digest = createHash('sha256');
  let memories = 0;
  for await (const items of batches) {
    const parts = items.flatMap(({ bytes }, i) => [
      Buffer.from(memories + i === 0 ? start : between),
      bytes,
    ]);
    await put(Buffer.concat(parts));
    for (const { bytes } of items) releaseBytes(bytes);
    memories += items.length;
  }
  await put(Buffer.from(memories === 0 ? empty : end));
  return { memories, sha256: digest.digest('hex') };

  async function put(bytes: Buffer<ArrayBuffer>): Promise<void> {
    digest.update(bytes);
    await write(bytes);
    releaseBytes(bytes);
  }
}
