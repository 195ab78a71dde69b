// Registration of clients (RFC 7591): limited for each address, and cut down to what is used before the server sees it.

import { LRUCache } from 'lru-cache';

import { RateLimited } from '../gateway/request/throttle.ts';
import { adoptMetadata } from './client-rules.ts';

/** How many clients an address may register in an hour, and all addresses together. */
const MOST_OF_ADDRESS = 20;
const MOST_OF_ALL = 200;
/** How many an address may register when that is reached, so that a few strangers do not use it up for everybody. */
const FEW = 2;

const HOUR_MS = 3_600_000;
const MAX_ADDRESSES = 10_000;

/** Throws a 429 if an address, or everybody together, has registered too many clients in this hour. */
export type CountRegistration = (address: string | undefined) => void;

/** Creates the count. Each process has its own. */
export function createCountRegistration(): CountRegistration {
  // Measured with performance.now(), a monotonic clock.
  const counts = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: HOUR_MS });
  return (address = '') => {
    const subjects = [
      ['all', MOST_OF_ALL],
      [`address ${address}`, MOST_OF_ADDRESS],
    ] as const;
    const own = counts.get(`address ${address}`)?.count ?? 0;
    for (const [subject, most] of subjects)
      if ((counts.get(subject)?.count ?? 0) >= most && own >= FEW) {
        const seconds = Math.max(1, Math.ceil(counts.getRemainingTTL(subject) / 1000));
        throw new RateLimited(
          seconds,
          `Too many clients were registered; try again in ${seconds} seconds.`,
        );
      }
    for (const [subject] of subjects) {
      const found = counts.get(subject);
      if (found === undefined) counts.set(subject, { count: 1 });
      else found.count += 1;
    }
  };
}

/** Returns the body of a registration as the server gets it. A body that is none goes on unchanged, and is refused there. */
export function cutRegistration(body: Uint8Array): Uint8Array {
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return body;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return body;
  const { client_name, client_uri, redirect_uris } = given as Readonly<Record<string, unknown>>;
  const metadata = { client_name, redirect_uris };
  adoptMetadata(metadata);
  // A registered client proves nothing, so it gets no secret.
  const own = { ...metadata, token_endpoint_auth_method: 'none' };
  const about =
    typeof client_uri === 'string' && /^https:\/\/.{1,200}$/.test(client_uri) ? { client_uri } : {};
  return Buffer.from(JSON.stringify({ ...own, ...about }));
}
