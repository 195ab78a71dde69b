// What a client may be told, each with its default and its reason.

import type { Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';

/** An answer as it came. */
export interface Cached {
  readonly etag: string;
  readonly text: string;
  readonly next: string | undefined;
}

/** Keeps answers by their address. A `Map` fits, and so does an LRU cache. */
export interface ClientCache {
  get(url: string): Awaitable<Cached | undefined>;
  set(url: string, answer: Cached): unknown;
}

/** The settings of a client. */
export interface ClientOptions {
  /** The address of the gateway: all that stands before `/v1`, such as `https://host.example/memories`. */
  readonly baseUrl: string | URL;
  /** The key, or a function that fetches it for each call, so that a new one counts at once. */
  readonly apiKey: string | (() => Awaitable<string>);
  /** How long a call may take in all, retries included: 10,000 when left out; `Infinity` is no end. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is made again that met no network, or a server in trouble: 2 when left out. */
  readonly retries?: number | undefined;
  /**
   * Where the answers to one key are kept: those that still hold are not sent again. None when left
   * out. One that fails is passed over, and the call goes on without it.
   */
  readonly cache?: ClientCache | undefined;
  /** Whether answers are checked against the contract before they are given out: true when left out. */
  readonly check?: boolean | undefined;
  /** What sends a request, such as `gateway.fetch`: the global `fetch` when left out. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Options with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: () => Awaitable<string>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly cache: ClientCache | undefined;
  readonly check: boolean;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Fills in the defaults. Throws a `TypeError` when an option makes no sense; it never holds the key. */
export function readOptions(options: ClientOptions): Settings {
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, cache, check = true } = options;
  const address = String(baseUrl).replace(/\/+$/, '');
  const isAddress = /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(address) && URL.canParse(address);
  require(isAddress, 'baseUrl an http(s) address');
  require(timeoutMs > 0, 'timeoutMs a number above 0');
  require(retries >= 0, 'retries a number');
  if (typeof apiKey !== 'function') requireKey(apiKey);
  return {
    baseUrl: address,
    apiKey: typeof apiKey === 'function' ? () => fetchKey(apiKey) : () => apiKey,
    timeoutMs,
    retries,
    cache,
    check,
    fetch: options.fetch ?? ((request) => fetch(request)),
  };
}

function require(isGiven: boolean, what: string): void {
  if (!isGiven) throw new TypeError(`Give ${what}.`);
}

// Else fetch would refuse the header, in a message that shows the key.
function requireKey(apiKey: unknown): string {
  const isKey = typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey);
  require(isKey, 'apiKey a key, without a line break or the like');
  return apiKey as string;
}

async function fetchKey(apiKey: () => Awaitable<string>): Promise<string> {
  try {
    return requireKey(await apiKey());
  } catch (cause) {
    throw new Failure(0, 'The function apiKey failed; see the cause.', { reason: 'key', cause });
  }
}
