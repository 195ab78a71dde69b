// Cache: answers kept under the state of the account they were made of, so that none is ever stale.

import { LRUCache } from 'lru-cache';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Json } from '../contract/json.ts';
import { Refusal } from '../store/refusal.ts';
import type { Asked } from './asked.ts';
import { packOnce } from './coding.ts';
import type { Handle, Handled } from './handle.ts';
import type { Context } from './handlers.ts';

/** How many bytes of answers are kept where nobody says. */
const CACHE_BYTES = 32_000_000;

/** Reads how many bytes may be kept. Fails with `Refusal` when it is no such number. */
export function readCacheBytes(cacheBytes = CACHE_BYTES): number {
  if (Number.isSafeInteger(cacheBytes) && cacheBytes >= 0) return cacheBytes;
  throw new Refusal('cacheBytes takes a whole number of bytes, 0 for no cache.');
}

/** What an answer weighs beside its bytes and its key: measured with 20,000 of them, 1.1 kB. */
const ENTRY_BYTES = 1200;

/** No answer takes more than this part of the cache. */
const LARGEST = 1 / 8;

type Whole = Json<unknown>;

const NOTHING = new Uint8Array();

/** How often an answer was found or had to be made since the start, and what is kept now. */
export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
  /** As they are weighed: bodies with their codings, keys, and what comes with them. */
  readonly bytes: number;
}

/** A handle whose answers are kept, and how that goes. */
export interface Cached {
  readonly handle: Handle;
  readonly stats: () => CacheStats;
}

/** An answer that is kept: whole, or its etag alone where only that was asked for. */
interface Kept extends Handled {
  readonly body: Whole | null;
  /** What it takes, with the codings that have been made of it. */
  readonly weight: number;
}

/**
 * Keeps the answers of `handle`, up to `maxBytes` of them. The revision, which is read with the key of
 * each request, changes with every write to the account, and never comes back with other memories:
 * an answer found under it is what `handle` would make. So it is kept only where the state that `handle`
 * has read is the one that the revision was read from: at once and `isTogether` (see `Store.together`),
 * or where the answer tells the same revision.
 */
export function withCache(handle: Handle, maxBytes: number, isTogether: boolean): Cached {
  if (maxBytes === 0) return uncached(handle);
  const maxEntrySize = Math.ceil(maxBytes * LARGEST);
  const cache = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize,
    sizeCalculation: ({ weight }) => weight,
  });
  let [hits, misses] = [0, 0];

  return {
    handle: recall,
    stats: () => ({ hits, misses, entries: cache.size, bytes: cache.calculatedSize }),
  };

  function recall(asked: Asked, context: Context): Awaitable<Handled> {
    const { revision, account_id } = context.caller;
    const key = `${revision} ${account_id} ${asked.key}`;
    const found = cache.get(key);
    if (found !== undefined) {
      const { etag } = found;
      const isHeld = etag !== undefined && context.condition.match(etag) !== undefined;
      if (isHeld || found.body !== null) {
        hits++;
        return isHeld ? { etag, body: null } : found;
      }
    }
    misses++;
    const answer = handle(asked, context);
    if (isTogether) return answer instanceof Promise ? answer : keep(key, answer);
    return andThen(answer, (made) => (made.revision === revision ? keep(key, made) : made));
  }

  function keep(key: string, answer: Handled): Handled {
    const { body } = answer;
    if (body !== null && !(body instanceof Uint8Array)) return answer; // a stream
    let weight = ENTRY_BYTES + key.length + (body?.length ?? 0);
    const pack = packOnce(body ?? NOTHING, (made) => {
      if (weight + made.length > maxEntrySize) return false;
      weight += made.length;
      // As another entry, or it would not be weighed again.
      if (cache.peek(key)?.pack === pack) cache.set(key, { ...kept, weight });
      return true;
    });
    const kept: Kept = { ...answer, body: body && standalone(body), pack, weight };
    cache.set(key, kept);
    return kept;
  }
}

/** The same handle, whose answers are not kept. */
function uncached(handle: Handle): Cached {
  return { handle, stats: () => ({ hits: 0, misses: 0, entries: 0, bytes: 0 }) };
}

/** Copies bytes that stand in a larger buffer, which would be kept with them. */
function standalone(bytes: Whole): Whole {
  return bytes.length === bytes.buffer.byteLength ? bytes : (bytes.slice() as Whole);
}
