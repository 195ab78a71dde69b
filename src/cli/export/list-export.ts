// Writes memories as one list: JSON Lines or a JSON array with exactly the stored bytes, or another form of them.

import { createHash } from 'node:crypto';

import type { Awaitable } from '../../lib/async.ts';
import { releaseBytes } from '../../store/bytes.ts';
import type { Batches } from '../../store/engine.ts';
import type { EncodedEntry } from '../../store/store.ts';
import type { WriteBytes } from './output.ts';

/** The text before the first memory, between two, after the last, and the whole text if there are none. */
export interface ListFrame {
  readonly start: string;
  readonly between: string;
  readonly end: string;
  readonly empty: string;
  /** Returns what is written of a memory. Default: its bytes. */
  readonly toBytes?: ((entry: EncodedEntry) => Awaitable<Uint8Array>) | undefined;
}

/** The frames of the formats: JSON Lines, and an array with one memory on each line. */
export const JSON_FRAMES = {
  jsonl: { start: '', between: '\n', end: '\n', empty: '' },
  json: { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' },
} as const satisfies Record<string, ListFrame>;

/** Writes memories in a frame. Resolves with their number and the SHA-256 of all bytes. */
export async function writeList(
  batches: Batches,
  { start, between, end, empty, toBytes = ({ bytes }) => bytes }: ListFrame,
  write: WriteBytes,
): Promise<{ memories: number; sha256: string }> {
  const digest = createHash('sha256');
  let memories = 0;
  for await (const items of batches) {
    const parts: Uint8Array[] = [];
    for (const [i, item] of items.entries())
      parts.push(Buffer.from(memories + i === 0 ? start : between), await toBytes(item));
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
