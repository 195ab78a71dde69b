// Cross-origin reads: none by default, as a key does not belong in a browser; for named origins on request.

import { valuesOf, type Headers } from './headers.ts';

/** What a page of a named origin may ask, and which headers of an answer it may read. */
const PREFLIGHT = [
  'access-control-allow-methods',
  'GET, HEAD',
  'access-control-allow-headers',
  'authorization, x-api-key, if-none-match',
  'access-control-max-age',
  '600',
];
const NONE: readonly string[] = [];
const EXPOSED = ['access-control-expose-headers', 'etag, link, retry-after, x-request-id'];

/** Makes the headers that let the asking page read the answer: none when its origin is not named. */
export function corsHeaders(allowed: readonly string[], headers: Headers): readonly string[] {
  if (allowed.length === 0) return NONE;
  const vary = ['vary', 'origin']; // also where the origin is refused, or a cache would mix them up
  const [origin, ...more] = valuesOf(headers, 'origin');
  if (origin === undefined || more.length > 0 || !allowed.includes(origin)) return vary;
  return [...vary, 'access-control-allow-origin', origin, ...EXPOSED];
}

/** Answers a browser that asks whether it may ask: the headers to send with 204, or undefined. */
export function preflightHeaders(
  method: string,
  headers: Headers,
  cors: readonly string[],
): string[] | undefined {
  const isAsked = method === 'OPTIONS' && cors.includes('access-control-allow-origin');
  if (!isAsked || valuesOf(headers, 'access-control-request-method').length === 0) return undefined;
  return [...cors, ...PREFLIGHT];
}
