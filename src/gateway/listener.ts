// The door for node:http: a request in, one answer out. It never throws and never rejects.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { andThen } from '../contract/awaitable.ts';
import { startAccess } from './access.ts';
import { mountOf } from './base.ts';
import type { DoorOptions } from './door.ts';
import { openExchange, type Exchange } from './exchange.ts';
import { isLast, readTarget } from './framing.ts';
import { isLong, piecesOf } from './pace.ts';
import { replyToFailure, type Reply } from './reply.ts';
import { sendParts } from './stream.ts';
import { createTurns } from './turns.ts';

/** Answers a request of `node:http`. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes the listener of a gateway. */
export function createListener(door: DoorOptions): Listener {
  const { respond, together, report, log, state, ...options } = door;
  const takeTurn = createTurns();
  return (request, response) => {
    const { method = '', rawHeaders } = request;
    const base = options.base ?? mountOf(request);
    const isGone = () => response.destroyed;
    const exchange = openExchange(
      { method, headers: rawHeaders, base, isGone },
      options.allowOrigins,
    );
    if (options.findAddress)
      exchange.address = options.findAddress(request.socket.remoteAddress, exchange.headers);
    const end = startAccess(log, exchange);
    if (end)
      response.once('close', () =>
        end({
          status: response.headersSent ? response.statusCode : undefined,
          complete: response.writableFinished,
        }),
      );
    if (isLast(request, exchange.headers)) response.setHeader('connection', 'close');

    const fail = (error: unknown): void => {
      if (isReaderGone(error, response)) return;
      const failure = report(error, exchange);
      // After the first byte a break is the only honest end: a list is never short and valid.
      if (response.headersSent) response.destroy();
      else void send(response, exchange, replyToFailure(exchange, failure));
    };
    const answer = (): void => {
      if (response.destroyed) return; // its caller has left while it waited
      if (state.draining) response.setHeader('connection', 'close');
      try {
        const sent = andThen(
          respond(exchange, () => readTarget(request, exchange.headers)),
          (reply) => send(response, exchange, reply),
        );
        if (sent instanceof Promise) sent.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    takeTurn(request, response, () => together(answer));
  };
}

/** Sends a reply; rejects when its parts cannot be read to their end, or their reader has left. */
function send(
  response: ServerResponse,
  exchange: Exchange,
  { status, head, body }: Reply,
): void | Promise<void> {
  // What a host has set is overwritten by name, but for what else its own headers depend on.
  const vary = response.getHeader('vary');
  if (vary !== undefined) head.push('vary', String(vary));
  if (exchange.method === 'HEAD' || body === null) {
    const isStream = body !== null && !(body instanceof Uint8Array);
    // Node adds this line to GET, and knows by itself that HEAD has no body to be in chunks.
    if (isStream && response.req.httpVersion === '1.1') head.push('transfer-encoding', 'chunked');
    response.writeHead(status, head).end();
    return;
  }
  response.writeHead(status, head);
  if (body instanceof Uint8Array) {
    exchange.bytes = body.length;
    if (isLong(body)) return pipeline(piecesOf(body), response);
    response.end(body);
    return;
  }
  // While the reader does not read, nothing is read from the store. A compressor may hold what it made.
  return exchange.coding === undefined ? sendParts(body, response) : pipeline(body, response);
}

/** Tells a reader that left, which is no failure of ours, from an answer that could not be made. */
function isReaderGone(error: unknown, response: ServerResponse): boolean {
  const codes: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'];
  return (
    response.destroyed && error instanceof Error && 'code' in error && codes.includes(error.code)
  );
}
