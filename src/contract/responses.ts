// Responses: the headers and failures of every endpoint, as parts of the OpenAPI document.

import type { Answering } from './answers.ts';
import { COMMON_STATUSES, NAMED_STATUSES, type Status } from './statuses.ts';

const STATUSES: Readonly<Record<number, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

const text = { type: 'string' } as const;

const linkBy = (parameter: string, rel: string) =>
  String.raw`<[^>]*\?${parameter}=[A-Za-z0-9_-]+>; rel="${rel}"`;
const [next, first] = ['next', 'first'].map((rel) => linkBy('cursor', rel));

/** The headers that answers have; those that are `required` come with every answer that names them. */
export const headers = {
  'x-request-id': {
    description: 'The id of this answer, which is also in the log of the gateway.',
    required: true,
    schema: text,
    example: '0d975848-be72-41c2-aa88-c3f57bcc575b',
  },
  'cache-control': {
    description: 'A copy is for its caller alone, and is asked about before each use.',
    required: true,
    schema: { ...text, const: 'private, no-cache' },
  },
  vary: {
    description: 'The request headers that the answer depends on.',
    required: true,
    schema: text,
    example: 'authorization, x-api-key, accept-encoding',
  },
  'x-content-type-options': {
    description: 'Keeps browsers from guessing another type.',
    required: true,
    schema: { ...text, const: 'nosniff' },
  },
  etag: {
    description: 'Tells this answer from others; send it back in `if-none-match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'content-encoding': {
    description: 'The coding of the body, where `accept-encoding` asked for one.',
    schema: { ...text, enum: ['zstd', 'br', 'gzip'] },
  },
  'link-cursor': {
    description:
      'Where other pages are: the next while more follow, and the first, for those who came by a cursor.',
    schema: { ...text, pattern: `^(${next}(, ${first})?|${first})$` },
    example: '</v1/memories?cursor=abc>; rel="next"',
  },
  'link-since': {
    description: 'Where to come back to: what changes after this answer is there.',
    required: true,
    schema: { ...text, pattern: `^${linkBy('since', 'next')}$` },
    example: '</v1/changes?since=abc>; rel="next"',
  },
  'www-authenticate': {
    description: 'The scheme of authentication.',
    required: true,
    schema: { ...text, const: 'Bearer' },
  },
  'retry-after': {
    description: 'After how many seconds to ask again.',
    required: true,
    schema: { ...text, pattern: '^[0-9]+$' },
    example: '42',
  },
};

type HeaderName = keyof typeof headers;

/** The headers of a failure beside those of every answer. */
const OF_FAILURES: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['www-authenticate'],
  429: ['retry-after'],
};

const ALWAYS = ['x-request-id', 'cache-control', 'vary', 'x-content-type-options'] as const;

/** The headers of every answer and those named, as references. */
function headersWith(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...ALWAYS, ...names].map((name) => [name, headerAt(name)]));
}

function headerAt(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` };
}

/** The headers of an endpoint's answer: a link is there where its pages go on. */
export function answerHeaders({ next: parameter }: Answering) {
  const link = parameter === undefined ? {} : { link: headerAt(`link-${parameter}`) };
  return { ...headersWith(['etag', 'content-encoding']), ...link };
}

/** What stands in for the body when the caller's copy is still right. */
export const notModified = {
  description: 'The copy that `if-none-match` names is still right.',
  headers: headersWith(['etag']),
};

/** The statuses of an endpoint's failures: those that it names, and those that any endpoint has. */
export function failuresOf(named: readonly number[]): number[] {
  return [...named, ...Object.keys(COMMON_STATUSES).map(Number)].toSorted((a, b) => a - b);
}

/** The answer with a failure status: the one shape, whatever the status. */
export function failureResponse(status: number) {
  const found = STATUSES[status];
  if (found === undefined) throw new TypeError(`${status} has no meaning yet; give it one.`);
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
