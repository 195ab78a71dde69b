// Caches the folded words of long memories, so that a search of many long meetings need not fold their texts again.

import { LRUCache } from 'lru-cache';

import { foldedBytes, foldWords, type FoldedWords } from '../../../text/folded.ts';
import type { SearchedTexts } from '../../../text/units.ts';
import type { Steps } from '../../fair-share/time.ts';

/**
 * Folded words by the hash of the memory that they are from. That memory has the id of its account, so accounts share
 * nothing. The words give no search anything that was not read and checked for it: without the memory, nothing asks.
 */
export type WordsCache = LRUCache<string, FoldedWords>;

/** How many bytes the cache holds at most, about: some 200 meetings of an hour. */
const CACHE_BYTES = 32_000_000;

/** The words of shorter memories are not cached: to fold them takes less than to read them. */
const LONG_BYTES = 16 * 1024;

/** Creates the cache of a gateway. */
export function createWordsCache(): WordsCache {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: (words, key) => foldedBytes(words) + key.length,
  });
}

/** What is known of a memory whose transcript was read. */
interface ReadMemory {
  readonly body_sha256: string;
  /** How many bytes its body has. */
  readonly size: number;
}

/** Returns the words of a long memory, and undefined for others. */
export function* readWords(
  cache: WordsCache,
  { body_sha256, size }: ReadMemory,
  texts: SearchedTexts,
): Steps<FoldedWords | undefined> {
  if (size < LONG_BYTES) return undefined;
  const cached = cache.get(body_sha256);
  if (cached !== undefined) return cached;
  const words = yield* foldWords(texts);
  cache.set(body_sha256, words);
  return words;
}
