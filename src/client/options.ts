// The options of a client, with their types, defaults and reasons.

import { Failure } from '../contract/failure.ts';
import type { Awaitable } from '../lib/async.ts';

/** A response in the cache. */
export interface CachedResponse {
  /** The response's ETag. */
  readonly etag: string;
  /** The response's body. */
  readonly text: string;
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
}

/** Stores responses by URL. A `Map` works, and so does an LRU cache. */
export interface ClientCache {
  /** Returns the response of a URL, or `undefined`. */
  get(url: string): Awaitable<CachedResponse | undefined>;
  /** Stores the response of a URL. */
  set(url: string, response: CachedResponse): unknown;
}

/** A retry that is about to happen. */
export interface Retry {
  /** 1 for the first retry. */
  readonly attempt: number;
  /** The milliseconds until it is sent. */
  readonly delayMs: number;
  readonly url: string;
  /** The status of the last response. 0 if there was none. */
  readonly status: number;
}

/** The options of a client. */
export interface ClientOptions {
  /**
   * The URL of the gateway, without `/v1`. It can have a path, as in `https://host.example/memories`,
   * but no query, fragment or password. Required.
   */
  readonly baseUrl: string | URL;
  /**
   * The API key, or a function that returns it. The function is called for every attempt, so a
   * rotated key works at once. Required.
   */
  readonly apiKey: string | (() => Awaitable<string>);
  /**
   * Timeout of a call in milliseconds, retries and response body included. Default: 10,000.
   * `Infinity` means about 24 days, because timers cannot be longer.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often to retry network errors and the statuses 408, 429, 500, 502, 503 and 504. Default: 2.
   * The first wait is 100 to 200 ms and doubles each time. `retry-after` is respected. All calls only
   * read, so a retry is always safe. Pass 0 to turn retries off.
   */
  readonly retries?: number | undefined;
  /**
   * Stores responses, and revalidates them with their ETag before each reuse, so that unchanged responses
   * are not sent again. Default: none. Use one cache per key. A `Map` grows without limit, so prefer an
   * LRU cache in a long-running program. Errors of the cache are ignored.
   */
  readonly cache?: ClientCache | undefined;
  /**
   * Validate each response against the schema. Default: true. A response that does not match rejects
   * with the reason `mismatch`. Pass false to save that time.
   */
  readonly check?: boolean | undefined;
  /** Headers of every request, such as `{ 'x-tenant': 'a' }`. `authorization` is always the key. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called before each request is sent, retries included. It may set headers of the request. The request has
   * the key in `authorization`, so do not log its headers. Default: none.
   */
  readonly onRequest?: ((request: Request) => unknown) | undefined;
  /**
   * Called with each response, retries included. Read the body of a `response.clone()` only. Default: none.
   */
  readonly onResponse?: ((response: Response, request: Request) => unknown) | undefined;
  /** Called before the wait for each retry. Default: none. A hook that throws ends the call with the reason `hook`. */
  readonly onRetry?: ((retry: Retry) => unknown) | undefined;
  /**
   * The function that sends requests. Default: the global `fetch`. Pass `gateway.fetch` to call a
   * gateway in the same process, or your own function to use a proxy.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The options with their defaults filled in. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: () => Awaitable<string>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly cache: ClientCache | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Calls a hook, if there is one, and waits for it. Rejects with `Failure` only. */
  readonly hook: CallHook;
}

type Hooks = Pick<ClientOptions, 'onRequest' | 'onResponse' | 'onRetry'>;

/** Calls a hook by its name. */
export type CallHook = <N extends keyof Hooks>(
  name: N,
  ...args: Parameters<NonNullable<Hooks[N]>>
) => Promise<void>;

/** Fills in the defaults. Throws a `TypeError` for invalid options. Its message never contains the key. */
export function readOptions(options: ClientOptions): ClientSettings {
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, cache, headers } = options;
  const url = String(baseUrl).replace(/\/+$/, '');
  const isUrl = /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?(?<!\/v1)$/i.test(url) && URL.canParse(url);
  // A password or a token in it is not for logs.
  const shown = /[@?]/.test(url) ? '' : `, not ${url}`;
  require(isUrl, `baseUrl must be an http(s) URL without /v1, password and query${shown}.`);
  require(timeoutMs > 0, 'timeoutMs must be above 0.');
  require(retries >= 0, 'retries must be 0 or more.');
  require(areHeaders(headers), 'headers must have names and values that HTTP allows.');
  const isFunction = typeof apiKey === 'function';
  if (!isFunction) requireKey(apiKey);
  return {
    baseUrl: url,
    apiKey: isFunction ? () => fetchKey(apiKey) : () => apiKey,
    timeoutMs,
    retries,
    cache,
    fetch: options.fetch ?? ((request) => fetch(request)),
    headers,
    async hook(name, ...args) {
      try {
        await (options[name] as ((...all: unknown[]) => unknown) | undefined)?.(...args);
      } catch (cause) {
        throw new Failure(0, `The hook ${name} failed. See the cause.`, { reason: 'hook', cause });
      }
    },
  };
}

function require(isValid: boolean, message: string): void {
  if (!isValid) throw new TypeError(message);
}

function areHeaders(headers: ClientOptions['headers']): boolean {
  try {
    return Boolean(new Headers(headers));
  } catch {
    return false; // the error of Headers would show the value
  }
}

// Without this check, fetch would refuse the header with a message that shows the key.
function requireKey(apiKey: unknown): string {
  const isKey = typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey);
  require(isKey, 'apiKey must be a key without spaces.');
  return apiKey as string;
}

async function fetchKey(apiKey: () => Awaitable<string>): Promise<string> {
  try {
    return requireKey(await apiKey());
  } catch (cause) {
    throw new Failure(0, 'The function apiKey failed. See the cause.', { reason: 'key', cause });
  }
}
