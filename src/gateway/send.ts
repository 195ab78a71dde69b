// What leaves: answers and failures, in one piece or as a stream.

import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import type { Answer } from '../contract/api.ts';
import type { Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { compress, compressor, MIN_BYTES } from './coding.ts';
import { preflightHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { answerHead, commonHead, renderFailure } from './head.ts';

/** Sends an answer. Rejects when it cannot be read to its end; then the head may have left already. */
export function sendAnswer(
  response: ServerResponse,
  exchange: Exchange,
  answer: Answer<unknown>,
): Awaitable<void> {
  const { body, etag } = answer;
  if (body === null) {
    response.writeHead(304, [
      ...commonHead(exchange),
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

/** Answers a browser's preflight, which comes without the key it asks about; tells whether it was one. */
export function sendPreflight(response: ServerResponse, exchange: Exchange): boolean {
  const { method, headers, cors } = exchange;
  const head = preflightHeaders(method, headers, cors);
  if (head !== undefined)
    response.writeHead(204, [...commonHead({ id: exchange.id }), ...head]).end();
  return head !== undefined;
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
