// Response cache: results cached under the revision of their account, so that they are never stale.

import { LRUCache } from 'lru-cache';

import { andThen, type Awaitable } from '../../lib/async.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Bytes, Call, CallContext, EndpointResult } from '../endpoints/endpoint.ts';
import { createEncoded } from './compression.ts';

/** The default size of the cache in bytes. */
const CACHE_BYTES = 32_000_000;

/** Validates the size of the cache. Throws `Refusal` if it is no whole number of bytes. */
export function readCacheBytes(cacheBytes = CACHE_BYTES): number {
  if (Number.isSafeInteger(cacheBytes) && cacheBytes >= 0) return cacheBytes;
  throw new Refusal('cacheBytes takes a whole number of bytes, 0 for no cache.');
}

/** The overhead of an entry besides its bytes and its key. Measured with 20,000 entries: 1.1 kB. */
const ENTRY_BYTES = 1200;

/** The largest share of the cache that one result may take. */
const MAX_SHARE = 1 / 8;

/** Figures of the cache since the start. */
export interface CacheStats {
  /** Results that were in the cache. */
  readonly hits: number;
  /** Results that were not. */
  readonly misses: number;
  /** Results in the cache now. */
  readonly entries: number;
  /** Estimated size of these: bodies with their encodings, keys and overhead. */
  readonly bytes: number;
}

/** A response cache. */
export interface ResponseCache {
  /** Runs a call, or returns its cached result. */
  readonly run: (call: Call, context: CallContext) => Awaitable<EndpointResult>;
  readonly stats: () => CacheStats;
}

/** A cached result: with its body, or with its ETag alone after a request that needed no more. */
interface CachedResult extends EndpointResult {
  readonly body: Bytes | null;
  /** Estimated bytes, with the encodings made so far. */
  readonly size: number;
}

const NO_BYTES = new Uint8Array();

/**
 * Creates a cache of up to `maxBytes`. The revision is read with the key of each request. It changes with
 * every write to the account and never returns with other memories, so a result cached under it is current.
 * A result may be cached only if it was read in the state that the revision was read in. That holds for
 * synchronous results if `isAtomic` (see `Store.readTransaction`), and for results that report the same
 * revision.
 */
export function createCache(maxBytes: number, isAtomic: boolean): ResponseCache {
  if (maxBytes === 0) return createNoCache();
  const maxEntrySize = Math.ceil(maxBytes * MAX_SHARE);
  const cache = new LRUCache<string, CachedResult>({
    maxSize: maxBytes,
    maxEntrySize,
    sizeCalculation: ({ size }) => size,
  });
  let [hits, misses] = [0, 0];

  return {
    run,
    stats: () => ({ hits, misses, entries: cache.size, bytes: cache.calculatedSize }),
  };

  function run(call: Call, context: CallContext): Awaitable<EndpointResult> {
    const { revision, account_id, scope } = context.caller;
    const own = `${revision} ${account_id} ${call.key}`;
    const key = scope === undefined ? own : `${JSON.stringify(scope)} ${own}`;
    const cached = cache.get(key);
    if (cached !== undefined) {
      const { etag = '' } = cached;
      const isCurrent = context.condition?.match(etag) !== undefined;
      if (isCurrent || cached.body !== null) {
        hits++;
        return isCurrent ? { etag, body: null } : cached;
      }
    }
    misses++;
    const result = call.handle(context, call.input);
    if (isAtomic) return result instanceof Promise ? result : add(key, result);
    return andThen(result, (made) => (made.revision === revision ? add(key, made) : made));
  }

  function add(key: string, result: EndpointResult): EndpointResult {
    const { body, isOfToday = false } = result;
    const isStream = body !== null && !(body instanceof Uint8Array);
    if (isStream || isOfToday) return result;
    let size = ENTRY_BYTES + key.length + (body?.length ?? 0);
    const encoded = createEncoded(body ?? NO_BYTES, 'fast', (made) => {
      if (size + made.length > maxEntrySize) return false;
      size += made.length;
      // Set again, because lru-cache takes an entry's size only then.
      if (cache.peek(key)?.encoded === encoded) cache.set(key, { ...cached, size });
      return true;
    });
    const cached: CachedResult = { ...result, body: body && copyIfShared(body), encoded, size };
    cache.set(key, cached);
    return cached;
  }
}

function createNoCache(): ResponseCache {
  return {
    run: (call, context) => andThen(call.handle(context, call.input), asOwn),
    stats: () => ({ hits: 0, misses: 0, entries: 0, bytes: 0 }),
  };
}

/** Marks a result that nothing else refers to. */
function asOwn(result: EndpointResult): EndpointResult {
  return { ...result, isOwn: true };
}

/** Copies bytes that are part of a larger buffer, which the cache would keep in memory with them. */
function copyIfShared(bytes: Bytes): Bytes {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
}
