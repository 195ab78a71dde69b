// The HTTP server: Node's limits set tight, and its own bodiless errors turned into ours.

import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import { createConnections } from './connections.ts';
import { renderFailure } from './head.ts';
import { readLimits, type Limits } from './limits.ts';
import { linger } from './linger.ts';
import type { Listener } from './listener.ts';
import { silent, type Log } from './log.ts';
import { unavailable } from './report.ts';
import { ownConnections } from './stream.ts';

/**
 * Makes a server, not yet listening, that answers by a gateway's listener and reports as it does.
 * Fails with `Refusal` when a limit is not what it takes.
 */
export function createServer(
  listener: Listener,
  log: Log = silent,
  given: Partial<Limits> = {},
): Server {
  const limits = readLimits(given);
  const connections = createConnections(limits);
  const own = ownConnections();
  const doubtful = new WeakSet<Duplex>();
  let refused = 0;
  const server = createHttpServer(
    {
      requireHostHeader: false, // ours is stricter, and answers with a body
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1000, // Node's 30 s would let a 10 s limit pass for 40
      keepAliveTimeout: limits.idleMs,
      noDelay: true,
    },
    (request, response) => {
      if (connections.begin(request.socket, response)) listener(request, response);
    },
  );
  server.on('connection', (socket) => {
    own(socket);
    socket.destroySoon = () => linger(socket); // so Node ends a connection behind its last answer
    if (connections.add(socket)) return;
    // Those above the limit are told so, and for that held for a while; so many at a time, the rest are
    // dropped. Not by Node's maxConnections: of several processes each would hand them on to the next.
    if (refused >= MOST_REFUSED) socket.destroy();
    else {
      refused++;
      socket.once('close', () => refused--);
      refuse(socket, CROWDED);
    }
  });
  server.on('listening', () => {
    const looks = setInterval(connections.look, 1000).unref();
    server.once('close', () => clearInterval(looks));
  });
  // Node would invite the body with "100 Continue" before anyone has judged the request.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // And it would answer other expectations itself, before the framing is judged.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    // Node has taken its own listeners away: a reset would end the process, a full buffer never drain.
    socket.on('error', () => socket.destroy());
    if (connections.running(socket as Socket)) socket.destroy();
    else refuse(socket, NO_PROXY);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isRequest = /^(HPE_|ERR_HTTP_)/.test(error.code ?? ''); // else the connection broke
    if (!socket.writable || !isRequest) {
      socket.destroy();
      return;
    }
    if (doubtful.has(socket)) return; // every further read fails again
    doubtful.add(socket);
    const found = parserFailure(error.code, limits);
    // In the middle of an answer these bytes would pass for its body.
    const running = connections.running(socket as Socket);
    if (running) running.once('close', () => refuse(socket, found));
    else refuse(socket, found);
  });
  // An answer is awaited by who has closed their own side, too (Node would end the connection), and
  // is running until its last byte has left (Node takes it for idle when it has been handed over).
  const { closeIdle: closeIdleConnections } = connections;
  return Object.assign(server, { httpAllowHalfOpen: true, closeIdleConnections });

  /** Answers on the bare socket, where Node has no response object, and ends the connection. */
  function refuse(socket: Duplex, refusal: Failure): void {
    if (!socket.writable) return;
    const { status, head, body } = render(refusal);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `date: ${new Date().toUTCString()}`,
    ];
    for (let i = 0; i < head.length; i += 2) lines.push(`${head[i]}: ${head[i + 1]}`);
    linger(socket, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
  }

  function render(refusal: Failure) {
    const request_id = randomUUID();
    const { head, body } = renderFailure(refusal, { id: request_id });
    head.push('content-length', String(body.length));
    if (!head.includes('connection')) head.push('connection', 'close'); // whatever is refused here
    log.access?.({ request_id, status: refusal.status, bytes: body.length }, 'request refused');
    return { status: refusal.status, head, body };
  }
}

const MOST_REFUSED = 100;
const CROWDED = unavailable('has as many connections as it takes');
const NO_PROXY = new Failure(501, 'This is no proxy; use GET or HEAD.');

function parserFailure(code: string | undefined, { headBytes }: Limits): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure(408);
  if (code !== 'HPE_HEADER_OVERFLOW') return failure(400);
  return new Failure(431, `Keep the request head within ${headBytes} bytes and 900 lines.`);
}

/**
 * Stops a server: no new connections, running answers finish, idle connections go, and what is left
 * after `graceMs` is cut.
 */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  // Node takes a time-out that is longer than 24 days for none at all.
  const cut = setTimeout(() => server.closeAllConnections(), Math.min(graceMs, 2 ** 31 - 1));
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(cut);
}
