// The door for node:http: a request in, one answer out, and the place where every error ends.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Answer } from '../contract/api.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { negotiate } from './coding.ts';
import { readCondition } from './condition.ts';
import { corsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { readTarget } from './framing.ts';
import { headerValues } from './headers.ts';
import type { Log } from './log.ts';
import { sendAnswer, sendFailure, sendPreflight } from './send.ts';
import { createTurns } from './turns.ts';

/** Answers a request of `node:http`. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What a listener shares with its gateway. */
export interface ListenerOptions {
  readonly state: { readonly draining: boolean };
  readonly log: Log;
  readonly allowOrigins: readonly string[];
}

/** Makes the listener of a gateway. It never throws: what is not a `Failure` is logged whole and is 500. */
export function createListener(
  answer: (exchange: Exchange) => Awaitable<Answer<unknown>>,
  { state, log, allowOrigins }: ListenerOptions,
): Listener {
  const takeTurn = createTurns();
  return (request, response) => {
    const exchange = readExchange(request, allowOrigins);
    if (log.access) logAccess(log.access, response, exchange);
    // A body has no meaning here: it is never read, and the connection is not used again.
    if (hasBody(request)) response.setHeader('connection', 'close');

    const fail = (error: unknown): void => {
      if (isReaderGone(error, response)) return;
      if (!(error instanceof Failure)) {
        const { id: request_id, method, route } = exchange;
        log.error({ request_id, method, route, err: error }, 'request failed');
      }
      // After the first byte a break is the only honest end: a list is never short and valid.
      if (response.headersSent) response.destroy();
      else sendFailure(response, exchange, error);
    };
    takeTurn(request, response, () => {
      try {
        if (state.draining) response.setHeader('connection', 'close');
        exchange.target = readTarget(request);
        if (sendPreflight(response, exchange)) return;
        const sent = andThen(answer(exchange), (found) => sendAnswer(response, exchange, found));
        if (sent instanceof Promise) sent.catch(fail);
      } catch (error) {
        fail(error);
      }
    });
  };
}

function readExchange(
  { method = '', rawHeaders: headers }: IncomingMessage,
  allowOrigins: readonly string[],
): Exchange {
  const coding = negotiate(headerValues(headers, 'accept-encoding'));
  const condition = readCondition(headerValues(headers, 'if-none-match'), coding);
  const cors = corsHeaders(allowOrigins, headers);
  return { id: randomUUID(), method, target: '', headers, coding, condition, cors, bytes: 0 };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Tells a reader that left, which is no failure of ours, from an answer that could not be made. */
function isReaderGone(error: unknown, response: ServerResponse): boolean {
  const codes: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'];
  return (
    response.destroyed && error instanceof Error && 'code' in error && codes.includes(error.code)
  );
}

function logAccess(
  access: NonNullable<Log['access']>,
  response: ServerResponse,
  exchange: Exchange,
) {
  const started = performance.now();
  response.once('close', () => {
    const { id: request_id, method, route, bytes, last_four } = exchange;
    const duration_ms = Math.round((performance.now() - started) * 1000) / 1000;
    const complete = response.writableFinished;
    access(
      {
        request_id,
        method,
        route,
        status: response.statusCode,
        duration_ms,
        bytes,
        last_four,
        complete,
      },
      'request',
    );
  });
}
