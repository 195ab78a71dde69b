// What leaves: answers and failures as status, headers and bytes.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import type { Answer } from '../contract/api.ts';
import type { Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { toJson } from '../contract/json.ts';
import { compress, compressor, MIN_BYTES, type Coding } from './coding.ts';
import { etagHeader } from './condition.ts';
import { preflightHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';

const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'];

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
type Caller = Pick<Exchange, 'id'> & Partial<Pick<Exchange, 'cors'>>;

/** After these the end of the request is in doubt, or nothing more is wanted on the connection. */
const CLOSING = new Set([400, 408, 413, 414, 417, 431, 501, 505]);

/** Sends an answer. Rejects when it cannot be read to its end; then the head may have left already. */
export function sendAnswer(
  response: ServerResponse,
  exchange: Exchange,
  answer: Answer<unknown>,
): Awaitable<void> {
  const { body, etag } = answer;
  if (body === null) {
    response.writeHead(304, [
      ...common(exchange),
      'etag',
      exchange.condition.match(etag ?? '') ?? '',
    ]);
    response.end();
    return;
  }
  if (!(body instanceof Uint8Array)) return sendStream(response, exchange, { ...answer, body });
  const coding = body.length < MIN_BYTES ? undefined : exchange.coding;
  const head = answerHead(exchange, answer, coding);
  if (coding === undefined) return sendBytes(response, exchange, { status: 200, head, body });
  return compress(body, coding).then((packed) =>
    sendBytes(response, exchange, { status: 200, head, body: packed }),
  );
}

/** Sends a failure; an error that is none becomes a 500 that tells nothing of it. */
export function sendFailure(response: ServerResponse, exchange: Exchange, error: unknown): void {
  const failure = error instanceof Failure ? error : internal();
  sendBytes(response, exchange, { status: failure.status, ...renderFailure(failure, exchange) });
}

/** The headers and body of a failure: one shape, wherever it arises. */
export function renderFailure(failure: Failure, to: Caller): { head: string[]; body: Uint8Array } {
  const head = [...JSON_TYPE, ...common(to)];
  if (failure.status === 401) head.push('www-authenticate', 'Bearer');
  if (failure.status === 405) head.push('allow', 'GET, HEAD');
  if (CLOSING.has(failure.status)) head.push('connection', 'close');
  return { head, body: toJson({ detail: failure.detail }) };
}

/** Answers a browser's preflight, which comes without the key it asks about; tells whether it was one. */
export function sendPreflight(response: ServerResponse, exchange: Exchange): boolean {
  const { method, headers, cors } = exchange;
  const head = preflightHeaders(method, headers, cors);
  if (head !== undefined) response.writeHead(204, [...common({ id: exchange.id }), ...head]).end();
  return head !== undefined;
}

function common({ id, cors = [] }: Caller): string[] {
  return [...ALWAYS, 'x-request-id', id, ...cors];
}

function answerHead(
  exchange: Exchange,
  { etag, next }: Answer<unknown>,
  coding?: Coding,
): string[] {
  const head = [...JSON_TYPE, ...common(exchange)];
  if (etag !== undefined) head.push('etag', etagHeader(etag, coding));
  if (coding !== undefined) head.push('content-encoding', coding);
  if (next !== undefined)
    head.push('link', `<${exchange.target.split('?', 1)[0]}?cursor=${next}>; rel="next"`);
  return head;
}

interface Whole {
  readonly status: number;
  readonly head: string[];
  readonly body: Uint8Array;
}

function sendBytes(
  response: ServerResponse,
  exchange: Exchange,
  { status, head, body }: Whole,
): void {
  head.push('content-length', String(body.length));
  response.writeHead(status, head);
  if (exchange.method === 'HEAD') response.end();
  else {
    exchange.bytes = body.length;
    response.end(body);
  }
}

/** Sends parts as the reader takes them: while it does not read, nothing is read from the store. */
async function sendStream(
  response: ServerResponse,
  exchange: Exchange,
  answer: Answer<unknown> & { body: AsyncIterable<Uint8Array> },
): Promise<void> {
  const { coding } = exchange;
  const head = answerHead(exchange, answer, coding);
  if (exchange.method === 'HEAD') {
    // Node adds this line to GET, and knows by itself that HEAD has no body to be in chunks.
    if (response.req.httpVersion === '1.1') head.push('transfer-encoding', 'chunked');
    response.writeHead(200, head).end();
    return;
  }
  response.writeHead(200, head);
  const count = async function* (parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const part of parts) {
      exchange.bytes += part.length;
      yield part;
    }
  };
  if (coding === undefined) await pipeline(answer.body, count, response);
  else await pipeline(answer.body, compressor(coding), count, response);
}

function internal(): Failure {
  return new Failure(
    500,
    'The gateway could not complete the request; try again, and if it keeps failing, give its operator the x-request-id.',
  );
}
