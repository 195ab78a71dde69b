// Response headers and error responses, as parts of the OpenAPI document.

import type { Route } from '../route.ts';
import { COMMON_STATUSES, NAMED_STATUSES, type Status } from '../statuses.ts';

const STATUSES: Readonly<Record<number, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

const text = { type: 'string' } as const;

const linkBy = (parameter: string, rel: string) =>
  String.raw`<[^>]*\?${parameter}=[A-Za-z0-9_-]+>; rel="${rel}"`;
const [next, first] = ['next', 'first'].map((rel) => linkBy('cursor', rel));

/** All response headers. A `required` header is in every response that lists it. */
export const headers = {
  'x-request-id': {
    description: 'The id of this response. The access log has the same id.',
    required: true,
    schema: text,
    example: '0d975848-be72-41c2-aa88-c3f57bcc575b',
  },
  'cache-control': {
    description: 'Private. Revalidate before reuse.',
    required: true,
    schema: { ...text, const: 'private, no-cache' },
  },
  vary: {
    description: 'The request headers that the response depends on.',
    required: true,
    schema: text,
    example: 'authorization, x-api-key, accept-encoding',
  },
  'x-content-type-options': {
    description: 'Stops browsers from guessing another content type.',
    required: true,
    schema: { ...text, const: 'nosniff' },
  },
  etag: {
    description: 'Version of this response. Send it back in `if-none-match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'content-encoding': {
    description: 'The compression of the body, if `accept-encoding` allowed one.',
    schema: { ...text, enum: ['zstd', 'br', 'gzip'] },
  },
  'content-disposition': {
    description: 'The name to save the file under.',
    required: true,
    schema: { ...text, pattern: '^attachment; filename="[^"]+"$' },
    example: 'attachment; filename="original-2026-11-19-standup.vtt"',
  },
  'content-security-policy': {
    description: 'Stops browsers from running the file as a page.',
    required: true,
    schema: { ...text, const: 'sandbox' },
  },
  'accept-ranges': {
    description: 'A `Range` header may ask for a part.',
    required: true,
    schema: { ...text, const: 'bytes' },
  },
  'content-range': {
    description: 'Which bytes these are, and how many there are in all.',
    required: true,
    schema: { ...text, pattern: String.raw`^bytes (\d+-\d+|\*)/\d+$` },
    example: 'bytes 0-1023/146515',
  },
  'link-cursor': {
    description:
      '`rel="next"`: the next page, if more follow. `rel="first"`: the first page, if you sent a cursor.',
    schema: { ...text, pattern: `^(${next}(, ${first})?|${first})$` },
    example: '</v1/memories?cursor=abc>; rel="next"',
  },
  'link-since': {
    description:
      '`rel="next"`: request this URL later for newer changes. With `order=desc`, the next page, if more follow.',
    schema: { ...text, pattern: `^(${linkBy('since', 'next')}|${next})$` },
    example: '</v1/changes?since=abc>; rel="next"',
  },
  'www-authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { ...text, const: 'Bearer' },
  },
  'retry-after': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { ...text, pattern: '^[0-9]+$' },
    example: '42',
  },
};

type HeaderName = keyof typeof headers;

/** Additional headers of error responses. */
const OF_FAILURES: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['www-authenticate'],
  416: ['content-range'],
  429: ['retry-after'],
};

const ALWAYS = ['x-request-id', 'cache-control', 'vary', 'x-content-type-options'] as const;

/** References to the headers of every response and to the given ones. */
function headersWith(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...ALWAYS, ...names].map((name) => [name, headerReference(name)]));
}

function headerReference(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` };
}

/** Additional headers of files. Those with ranges are never compressed. */
const OF_FILES: readonly HeaderName[] = ['content-encoding', 'content-disposition'];
const OF_RANGES: readonly HeaderName[] = ['accept-ranges'];

/** The headers of a 200 response. Endpoints with pages have a `link` header. */
export function responseHeaders({ cursorParameter: parameter, isFile, hasRanges }: Route) {
  const link = parameter === undefined ? {} : { link: headerReference(`link-${parameter}`) };
  if (!isFile) return { ...headersWith(['etag', 'content-encoding']), ...link };
  const own = hasRanges ? OF_RANGES : OF_FILES;
  return headersWith(['etag', 'content-security-policy', ...own]);
}

/** The headers of a 206 response. */
export function rangeHeaders(route: Route) {
  return { ...responseHeaders(route), 'content-range': headerReference('content-range') };
}

/** The 304 response. */
export const notModified = {
  description: 'Nothing has changed: your cached response is still valid.',
  headers: headersWith(['etag']),
};

/** The error statuses of an endpoint: its own and the common ones, in ascending order. */
export function failuresOf(named: readonly number[]): number[] {
  return [...named, ...Object.keys(COMMON_STATUSES).map(Number)].toSorted((a, b) => a - b);
}

/** The response with an error status. Throws a `TypeError` if statuses.ts does not describe the status. */
export function documentedFailure(status: number) {
  const found = STATUSES[status];
  if (found === undefined)
    throw new TypeError(`Status ${status} has no description. Add it to statuses.ts.`);
  return {
    description: found.meaning,
    headers: headersWith(OF_FAILURES[status] ?? []),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { detail: found.detail },
      },
    },
  };
}
