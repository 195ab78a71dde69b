// The entry point for node:http: a request in, one response out. It never throws and never rejects.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { andThen } from '../../lib/async.ts';
import { startAccessLog } from '../log.ts';
import { mountOf } from '../request/base-url.ts';
import { readNodeBody, type BodyOptions } from '../request/body.ts';
import { isHttp, isLastRequest, NOT_HTTP, readTarget } from '../request/framing.ts';
import type { GatewayRequest } from '../request/request.ts';
import { failureResponse, type HttpResponse } from '../response/http-response.ts';
import type { AdapterOptions } from '../response/respond.ts';
import { chunksOf, needsChunks, releaseSent, sendStream } from '../response/stream.ts';

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
  const { readRequest, respond, schedule, report, log, state, base, isOwn } = options;
  const queue = createPipeliningQueue();
  return (nodeRequest, nodeResponse, next) => {
    if (next !== undefined && isOwn?.(nodeRequest) === false) return next();
    const { method = '', rawHeaders, socket } = nodeRequest;
    const request = readRequest({
      method,
      headers: rawHeaders,
      base: base ?? mountOf(nodeRequest),
      peer: socket.remoteAddress,
      isTls: Reflect.get(socket, 'encrypted') === true,
      source: nodeRequest,
      readBody,
      isAborted: () => nodeResponse.destroyed,
      abortSignal: () => signalOf(nodeResponse),
    });
    const { headers } = request;
    const end = startAccessLog(log, request);
    if (end)
      nodeResponse.once('close', () =>
        end({
          status: nodeResponse.headersSent ? nodeResponse.statusCode : undefined,
          complete: nodeResponse.writableFinished,
        }),
      );
    let hasReadBody = false;

    const isReadable = isHttp(nodeRequest);
    const readOwnTarget = (): string => {
      if (isReadable) return readTarget(nodeRequest, headers);
      throw NOT_HTTP;
    };

    const sendOwn = (response: HttpResponse): void | Promise<void> => {
      if (state.draining || isLastRequest(nodeRequest, headers, hasReadBody))
        nodeResponse.setHeader('connection', 'close');
      return send(nodeResponse, request, response);
    };
    const fail = (error: unknown): void => {
      if (isReaderGone(error, nodeResponse)) return;
      const failure = report(error, request);
      // After the first byte, only a broken connection tells the caller: a list is never short and valid.
      if (nodeResponse.headersSent) nodeResponse.destroy();
      else void sendOwn(failureResponse(request, failure));
    };
    const run = (): void => {
      if (nodeResponse.destroyed) return; // the caller has left while the request waited
      try {
        const sent = andThen(respond(request, readOwnTarget), sendOwn);
        if (sent instanceof Promise) sent.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    queue(nodeRequest, nodeResponse, () => schedule(run));

    async function readBody(limit: number, body?: BodyOptions): Promise<Buffer<ArrayBuffer>> {
      const bytes = await readNodeBody(nodeRequest, nodeResponse, { ...body, headers, limit });
      hasReadBody = true;
      return bytes;
    }
  };
}

/** Sends a response. Rejects if its parts cannot be read to their end, or the reader has left. */
function send(
  nodeResponse: ServerResponse,
  { method, encoding, trace }: GatewayRequest,
  { status, headers, body, end, isOwn }: HttpResponse,
): void | Promise<void> {
  if (end !== undefined) onClose(nodeResponse, end);
  // Our headers replace the host's. Its `vary` is kept, because other headers of the host depend on it.
  const vary = nodeResponse.getHeader('vary');
  if (vary !== undefined) headers.push('vary', String(vary));
  if (method === 'HEAD' || body === null) {
    const isStream = body !== null && !(body instanceof Uint8Array);
    // Node adds this header to GET. It sends no body to HEAD, so no chunks either.
    if (isStream && nodeResponse.req.httpVersion === '1.1')
      headers.push('transfer-encoding', 'chunked');
    nodeResponse.writeHead(status, headers).end();
    return;
  }
  nodeResponse.writeHead(status, headers);
  if (body instanceof Uint8Array) {
    trace.bytes = body.length;
    if (needsChunks(body)) return pipeline(chunksOf(body), nodeResponse);
    nodeResponse.end(body);
    if (isOwn === true) releaseSent(body, nodeResponse);
    return;
  }
  // The store is read only as fast as the reader reads. A compressor may still refer to its output.
  return encoding === undefined ? sendStream(body, nodeResponse) : pipeline(body, nodeResponse);
}

/** Returns a signal that aborts when the caller leaves before the end of the response. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  onClose(response, () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function onClose(response: ServerResponse, callback: () => void): void {
  if (response.closed) callback();
  else response.once('close', callback);
}

/** Returns whether an error only says that the reader has left. */
function isReaderGone(error: unknown, response: ServerResponse): boolean {
  const codes: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'];
  return (
    response.destroyed && error instanceof Error && 'code' in error && codes.includes(error.code)
  );
}

type Queue = (request: IncomingMessage, response: ServerResponse, run: () => void) => void;

/** A connection with this many waiting requests is not read from. Our own server lets far fewer wait. */
const PAUSE_AT = 100;

/** A connection with this many waiting requests is closed. Node resumes reading at every drain, so a pause is no limit. */
const CLOSE_AT = 4000;

/**
 * Creates the queue for HTTP pipelining, which runs a request when the earlier responses of its connection
 * have been sent. Node emits all requests of a read at once. 500 lists for a client that reads nothing took
 * gigabytes: each had a batch and a compressor, although only the first could be sent.
 */
function createPipeliningQueue(): Queue {
  const connections = new WeakMap<object, { last: ServerResponse; waiting: number }>();
  return ({ socket }, response, run) => {
    const connection = connections.get(socket);
    if (connection === undefined || connection.last.closed) {
      connections.set(socket, { last: response, waiting: 0 });
      run();
      return;
    }
    connection.last.once('close', () => {
      connection.waiting--;
      if (connection.waiting === PAUSE_AT - 1) socket.resume();
      if (socket.writable) run(); // otherwise the connection has ended or is about to
    });
    connection.last = response;
    connection.waiting++;
    if (connection.waiting >= PAUSE_AT) socket.pause();
    if (connection.waiting >= CLOSE_AT) socket.destroy();
  };
}
