// Cache: answers kept under the state of the account they were made of, so that none is ever stale.

import { LRUCache } from 'lru-cache';

import type { Awaitable } from '../contract/awaitable.ts';
import type { Json } from '../contract/json.ts';
import { Refusal } from '../store/refusal.ts';
import { compress, type Coding } from './coding.ts';
import type { Handle, Handled } from './handle.ts';

/** How many bytes of answers are kept where nobody says. */
const CACHE_BYTES = 32_000_000;

/** Reads how many bytes may be kept. Fails with `Refusal` when it is no such number. */
export function readCacheBytes(cacheBytes = CACHE_BYTES): number {
  if (Number.isSafeInteger(cacheBytes) && cacheBytes >= 0) return cacheBytes;
  throw new Refusal('cacheBytes takes a whole number of bytes, 0 for no cache.');
}

/** What an answer weighs beside its bytes and its key: measured, 0.8 kB. */
const ENTRY_BYTES = 800;

/** No answer takes more than this part of the cache. */
const LARGEST = 1 / 8;

type Bytes = Uint8Array<ArrayBuffer>;
type Whole = Json<unknown>;

/** An answer that is kept: whole, or its etag alone where only that was asked for. */
interface Kept extends Handled {
  readonly body: Whole | null;
  /** The same in content codings, each made when it is first asked for. */
  readonly packed: Map<Coding, Awaitable<Bytes>>;
}

/**
 * Keeps the answers of `handle`, up to `maxBytes` of them. The revision, which is read with the key of
 * each request, changes with every write to the account, and never comes back with other memories:
 * an answer found under it is what `handle` would make. So the state that `handle` reads must be the one
 * that the revision was read from: see `Store.together`.
 */
export function withCache(handle: Handle, maxBytes: number): Handle {
  if (maxBytes === 0) return handle;
  const maxEntrySize = Math.ceil(maxBytes * LARGEST);
  const cache = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize,
    sizeCalculation: weigh,
  });

  return (asked, context) => {
    const { revision, account_id } = context.caller;
    const key = `${revision} ${account_id} ${asked.key}`;
    const found = cache.get(key);
    if (found !== undefined) {
      const { etag } = found;
      if (etag !== undefined && context.condition.match(etag) !== undefined)
        return { etag, body: null };
      if (found.body !== null) return found;
    }
    const answer = handle(asked, context);
    return answer instanceof Promise ? answer : keep(key, answer);
  };

  function keep(key: string, answer: Handled): Handled {
    const { body } = answer;
    if (body !== null && !(body instanceof Uint8Array)) return answer; // a stream
    const packed: Kept['packed'] = new Map();
    const pack = (coding: Coding) => packed.get(coding) ?? packNow(coding);
    const kept: Kept = { ...answer, body: body && standalone(body), packed, pack };
    cache.set(key, kept);
    return kept;

    function packNow(coding: Coding): Promise<Bytes> {
      const making = compress(body as Bytes, coding);
      packed.set(coding, making); // who asks meanwhile gets the same
      making.then(
        (made) => weighAgain(coding, made),
        () => packed.delete(coding), // to be tried again
      );
      return making;
    }

    function weighAgain(coding: Coding, made: Bytes): void {
      packed.set(coding, made);
      if (weigh(kept, key) > maxEntrySize) packed.delete(coding);
      // As another entry, or it would not be weighed.
      else if (cache.peek(key)?.packed === packed) cache.set(key, { ...kept });
    }
  }
}

/** Copies bytes that stand in a larger buffer, which would be kept with them. */
function standalone(bytes: Whole): Whole {
  return bytes.length === bytes.buffer.byteLength ? bytes : (bytes.slice() as Whole);
}

function weigh({ body, packed }: Kept, key: string): number {
  let bytes = ENTRY_BYTES + key.length + (body?.length ?? 0);
  for (const made of packed.values()) bytes += made instanceof Promise ? 0 : made.length;
  return bytes;
}
