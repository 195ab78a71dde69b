// The entry point for node:http: a request in, one response out. It never throws and never rejects.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { logAtEnd } from '../log.ts';
import { mountOf } from '../request/base-url.ts';
import { isLastRequest } from '../request/framing.ts';
import type { GatewayRequest } from '../request/request.ts';
import { onClose } from '../request/transport.ts';
import { failureResponse, type HttpResponse } from '../response/http-response.ts';
import { chunksOf, MAX_WHOLE, RELEASED_FROM, releaseSent, sendStream } from '../response/stream.ts';
import type { AdapterOptions } from './adapter.ts';

/**
 * Answers a request of `node:http`. A host that passes `next`, as Express does, gets requests back that are
 * not the gateway's own: `next()` is called instead, and nothing is sent.
 */
export type Listener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Creates the entry point. */
export function createListener(options: AdapterOptions): Listener {
  const { receive, respond, schedule, report, log, state, base, isOwn } = options;
  const queue = createPipeliningQueue();
  return (nodeRequest, response, next) => {
    if (next !== undefined && isOwn?.(nodeRequest) === false) return next();
    const { method = '', rawHeaders, socket } = nodeRequest;
    if (socket.destroyed) return; // Node emits the rest of a read after its connection was closed
    const request = receive({
      method,
      headers: rawHeaders,
      base: base ?? mountOf(nodeRequest),
      peer: socket.remoteAddress,
      transport: response,
    });
    if (log.access !== undefined) logResponse(request, response);
    if (queue.mayRun(response)) schedule(() => run(request, response));
    else queue.wait(response, () => schedule(() => run(request, response)));
  };

  function run(request: GatewayRequest, response: ServerResponse): void {
    if (response.destroyed) return; // the caller has left while the request waited
    try {
      const made = respond(request);
      const sent =
        made instanceof Promise
          ? made.then((late) => send(request, response, late))
          : send(request, response, made);
      if (sent instanceof Promise) sent.catch((error: unknown) => fail(request, response, error));
    } catch (error) {
      fail(request, response, error);
    }
  }

  /** Sends a response. Rejects if its parts cannot be read to their end, or the reader has left. */
  function send(
    { method, headers: requestHeaders, encoding, trace }: GatewayRequest,
    response: ServerResponse,
    { status, headers, body, end, isOwn: mayRelease }: HttpResponse,
  ): void | Promise<void> {
    const { req } = response;
    if (end !== undefined) onClose(response, end);
    if (state.draining || isLastRequest(req, requestHeaders))
      response.setHeader('connection', 'close');
    // Our headers replace the host's. Its `vary` is kept, because other headers of the host depend on it.
    const vary = response.getHeader('vary');
    if (vary !== undefined) headers.push('vary', String(vary));
    if (method === 'HEAD' || body === null) {
      const isStream = body !== null && !(body instanceof Uint8Array);
      const isChunked = isStream && !headers.includes('content-length');
      // Node adds this header to GET. It sends no body to HEAD, so no chunks either.
      if (isChunked && req.httpVersion === '1.1') headers.push('transfer-encoding', 'chunked');
      response.writeHead(status, headers).end();
      return;
    }
    response.writeHead(status, headers);
    if (body instanceof Uint8Array) {
      trace.bytes = body.length;
      if (body.length > MAX_WHOLE) return pipeline(chunksOf(body), response);
      response.end(body);
      if (mayRelease === true && body.length >= RELEASED_FROM) releaseSent(body, response);
      return;
    }
    // The store is read only as fast as the reader reads. A compressor may still refer to its output.
    return encoding === undefined ? sendStream(body, response) : pipeline(body, response);
  }

  function fail(request: GatewayRequest, response: ServerResponse, error: unknown): void {
    if (isReaderGone(error, response)) return;
    const failure = report(error, request);
    // After the first byte, only a broken connection tells the caller: a list is never short and valid.
    if (response.headersSent) response.destroy();
    else void send(request, response, failureResponse(request, failure));
  }

  function logResponse(request: GatewayRequest, response: ServerResponse): void {
    const end = logAtEnd(log, request);
    response.once('close', () =>
      end({
        status: response.headersSent ? response.statusCode : undefined,
        complete: response.writableFinished,
      }),
    );
  }
}

/** Returns whether an error only says that the reader has left. */
function isReaderGone(error: unknown, response: ServerResponse): boolean {
  const codes: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'];
  return (
    response.destroyed && error instanceof Error && 'code' in error && codes.includes(error.code)
  );
}

/** The queue for HTTP pipelining. */
interface PipeliningQueue {
  /** Notes a request. Returns whether it is the first one on its connection that is not answered. */
  readonly mayRun: (response: ServerResponse) => boolean;
  /** Runs a request when the earlier responses of its connection have been sent. */
  readonly wait: (response: ServerResponse, run: () => void) => void;
}

/** A connection with this many waiting requests is not read from. */
const PAUSE_AT = 100;

/**
 * The most requests that wait on all connections together. A connection that adds another one is closed: a pause is no
 * limit, because Node reads on at every drain, and 64 KiB that it has read are up to 2,400 requests. Each takes 3 kB.
 */
const MAX_WAITING = 10_000;

/**
 * Creates the queue. Node emits all requests of a read at once. 500 lists for a client that reads nothing took
 * gigabytes: each had a batch and a compressor, although only the first could be sent.
 */
function createPipeliningQueue(): PipeliningQueue {
  const connections = new WeakMap<object, { last: ServerResponse; waiting: number }>();
  let waiting = 0;
  return {
    mayRun(response) {
      const { socket } = response.req;
      const connection = connections.get(socket);
      if (connection === undefined) connections.set(socket, { last: response, waiting: 0 });
      else if (connection.last.closed) connection.last = response;
      else return false;
      return true;
    },
    wait(response, run) {
      const { socket } = response.req;
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.last.once('close', () => {
        waiting--;
        connection.waiting--;
        if (connection.waiting === PAUSE_AT - 1) socket.resume();
        if (socket.writable) run(); // otherwise the connection has ended or is about to
      });
      connection.last = response;
      connection.waiting++;
      waiting++;
      if (connection.waiting >= PAUSE_AT) socket.pause();
      if (waiting > MAX_WAITING) socket.destroy();
    },
  };
}
