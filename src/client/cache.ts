// Reads and writes the client's cache. Its errors are ignored.

import type { CallResult } from '../contract/create-methods.ts';
import type { ClientSettings } from './options.ts';
import { readOutput, type Validate } from './response.ts';
import type { ReceivedResponse } from './send.ts';

/** A cached response, parsed and validated. */
export interface CacheHit {
  readonly etag: string;
  readonly result: CallResult;
}

/** Returns the cached response of a URL. Ignores one that is damaged or does not match the schema. */
export async function readCache(
  { cache }: ClientSettings,
  url: string,
  validate?: Validate,
): Promise<CacheHit | undefined> {
  try {
    const found = await cache?.get(url);
    if (!found || !/^[ -~]+$/.test(found.etag)) return undefined;
    const output = readOutput(found.text, validate);
    return { etag: found.etag, result: { output, next: found.next ?? undefined } }; // a cache that stores JSON has no undefined
  } catch {
    return undefined;
  }
}

/** Stores a response. Never rejects, so callers need not wait for it. */
export async function writeCache(
  { cache }: ClientSettings,
  url: string,
  { response, text }: ReceivedResponse,
  { next }: CallResult,
): Promise<void> {
  const etag = response.headers.get('etag');
  try {
    if (etag !== null) await cache?.set(url, { etag, text, next });
  } catch {
    // the call succeeds without the cache
  }
}
