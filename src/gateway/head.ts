// Heads: the headers of every answer and failure, as flat lists of names and values in turn.

import type { Failure } from '../contract/failure.ts';
import { toJson } from '../contract/json.ts';
import type { Coding } from './coding.ts';
import { etagHeader } from './condition.ts';
import type { Exchange } from './exchange.ts';
import type { Found } from './reply.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

// X-API-Key is no credential to caches (RFC 9111 §3.5 protects Authorization alone): `private` and
// `vary` keep one caller's answer from another.
const ALWAYS = [
  'x-content-type-options',
  'nosniff',
  'cache-control',
  'private, no-cache',
  'vary',
  'authorization, x-api-key, accept-encoding',
];

/** Whom an answer goes to, as far as its headers depend on it. */
type Recipient = Pick<Exchange, 'id'> & Partial<Pick<Exchange, 'cors' | 'retryAfter'>>;

/** After these the end of the request is in doubt, or nothing more is wanted on the connection. */
const CLOSING = new Set([400, 408, 414, 417, 431, 501, 505]);

/** The headers of every answer, whatever its status. */
export function commonHead({ id, cors = [] }: Recipient): string[] {
  return [...ALWAYS, 'x-request-id', id, ...cors];
}

/** The head of a 200, but for the length of its body. */
export function answerHead(
  exchange: Exchange,
  { etag, next, first, type = JSON_TYPE, headers = [] }: Found,
  coding?: Coding,
): string[] {
  const head = ['content-type', type, ...commonHead(exchange), ...headers];
  if (etag !== undefined) head.push('etag', etagHeader(etag, coding));
  if (coding !== undefined) head.push('content-encoding', coding);
  if (next === undefined && first === undefined) return head;
  const links = [...linkTo(exchange, 'next', next), ...linkTo(exchange, 'first', first)];
  head.push('link', links.join(', '));
  return head;
}

/** A link to another page (RFC 8288), by its cursor alone, as that carries the other parameters. */
function linkTo({ base, target, next }: Exchange, rel: string, cursor: string | undefined) {
  if (cursor === undefined) return [];
  return [`<${base}${target.split('?', 1)[0]}?${next}=${cursor}>; rel="${rel}"`];
}

/** The headers and body of a failure: one shape, wherever it arises. */
export function renderFailure(
  failure: Failure,
  to: Recipient,
): { head: string[]; body: Uint8Array<ArrayBuffer> } {
  const head = ['content-type', JSON_TYPE, ...commonHead(to)];
  if (failure.status === 401) head.push('www-authenticate', 'Bearer');
  if (failure.status === 405) head.push('allow', 'GET, HEAD');
  if (to.retryAfter !== undefined) head.push('retry-after', String(to.retryAfter));
  if (CLOSING.has(failure.status)) head.push('connection', 'close');
  return { head, body: bodyOf(failure) };
}

// A 401 is made once, and so is its body.
const bodies = new WeakMap<Failure, Uint8Array<ArrayBuffer>>();

function bodyOf(failure: Failure): Uint8Array<ArrayBuffer> {
  const known = bodies.get(failure);
  if (known !== undefined) return known;
  const body = toJson({ detail: failure.detail });
  bodies.set(failure, body);
  return body;
}
