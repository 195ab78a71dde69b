// Caches long memories and their words, so that a search of many long meetings need not read and fold them again.

import { LRUCache } from 'lru-cache';

import type { Memory } from '../../../contract/schemas/memory.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { foldedBytes, type FoldedTexts } from '../../../text/passages/folded.ts';

/** A memory as it was read and checked, and the hash of its body. */
export interface LongMemory {
  readonly body_sha256: string;
  readonly memory: Memory;
  readonly folded: FoldedTexts;
}

/**
 * Long memories by their account and id. Each search asks the store whether the hash is still the same, as a client
 * does with an ETag, and whether the caller may read the memory.
 */
export type LongMemories = LRUCache<string, LongMemory>;

/** How many bytes the cache holds at most, about: some 100 meetings of an hour. */
const CACHE_BYTES = 32_000_000;

/** Shorter memories are not cached: to fold them takes less than to read them. */
const LONG_BYTES = 16 * 1024;

/** Creates the cache of a gateway. */
export function createLongMemories(): LongMemories {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ folded }, key) => foldedBytes(folded) + key.length,
  });
}

/** Returns whether a memory is long enough to be cached. */
export function isLong({ size }: PlacedMemory): boolean {
  return size >= LONG_BYTES;
}
