// CORS: no headers by default, because keys do not belong in browsers. An option allows named origins.

import { valuesOf, type Headers } from './headers.ts';

/** What a page of an allowed origin may send. */
export interface Sendable {
  readonly methods: string;
  readonly headers: string;
}

const READS: Sendable = {
  methods: 'GET, HEAD',
  headers: 'authorization, x-api-key, if-none-match',
};
const NO_HEADERS: readonly string[] = [];
const EXPOSED = ['access-control-expose-headers', 'etag, link, retry-after, x-request-id'];

/** Returns the CORS headers of a response: name, value, name, value, … */
export function corsHeaders(allowOrigins: readonly string[], headers: Headers): readonly string[] {
  if (allowOrigins.length === 0) return NO_HEADERS;
  const [origin, ...more] = valuesOf(headers, 'origin');
  if (isForSandbox(allowOrigins) && origin !== SANDBOX) return NO_HEADERS;
  const vary = ['vary', 'origin']; // also for refused origins, or a cache would mix the responses up
  if (origin === undefined || more.length > 0 || !allowOrigins.includes(origin)) return vary;
  return [...vary, 'access-control-allow-origin', origin, ...EXPOSED];
}

/** The origin of the sandboxed page at `/docs`. */
export const SANDBOX = 'null';

/** Responses are private and always revalidated, and a 304 has these headers, so no cache mixes them up. */
function isForSandbox(allowOrigins: readonly string[]): boolean {
  return allowOrigins.length === 1 && allowOrigins[0] === SANDBOX;
}

/** A request, as far as it may be a preflight. */
interface Preflight {
  readonly method: string;
  readonly headers: Headers;
  /** The headers of `corsHeaders`. */
  readonly cors: readonly string[];
}

/** Returns the 204 for a browser's preflight, which has no key, or undefined for other requests and other origins. */
export function answerPreflight({ method, headers, cors }: Preflight, sendable = READS) {
  if (method !== 'OPTIONS' || !cors.includes('access-control-allow-origin')) return undefined;
  if (valuesOf(headers, 'access-control-request-method').length === 0) return undefined;
  return {
    status: 204,
    body: null,
    headers: [
      'access-control-allow-methods',
      sendable.methods,
      'access-control-allow-headers',
      sendable.headers,
      'access-control-max-age',
      '600',
    ],
  };
}
