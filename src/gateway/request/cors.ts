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
const EXPOSED = ['access-control-expose-headers', 'etag, link, retry-after, x-request-id'];

/** The CORS headers of responses: name, value, name, value, … */
export interface Cors {
  /** Of a request without an origin. */
  readonly absent: readonly string[];
  /** Of a request with these values of `origin`. */
  readonly of: (origins: readonly string[]) => readonly string[];
}

/** The origin of the sandboxed page at `/docs`. */
export const SANDBOX = 'null';

/** Creates the CORS headers of a gateway that allows some origins. */
export function createCors(allowOrigins: readonly string[]): Cors {
  // Responses are private and always revalidated, and a 304 has these headers, so without named origins no cache
  // mixes them up. With named ones, refused origins and requests without one vary as well.
  const isNamed = allowOrigins.some((origin) => origin !== SANDBOX);
  const absent = isNamed ? ['vary', 'origin'] : [];
  return {
    absent,
    of([origin = '', ...more]) {
      if (more.length > 0 || !allowOrigins.includes(origin)) return absent;
      return ['vary', 'origin', 'access-control-allow-origin', origin, ...EXPOSED];
    },
  };
}

/** A request, as far as it may be a preflight. */
interface Preflight {
  readonly method: string;
  readonly headers: Headers;
  /** The CORS headers of its response. */
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
