// The HTTP server: tight limits, and complete responses where Node would send an error without a body.

import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import type { Listener } from '../adapters/node.ts';
import { silent, type Log } from '../log.ts';
import { failBody } from '../request/body.ts';
import { MAX_HEADER_LINES } from '../request/framing.ts';
import { failureResponse } from '../response/http-response.ts';
import { unavailable } from '../response/report.ts';
import { createSocketMarker } from '../response/stream.ts';
import { createConnections } from './connections.ts';
import { readLimits, type Limits } from './limits.ts';

const TOO_MANY_CONNECTIONS = unavailable('has as many connections as it takes');
const NO_PROXY = new Failure(501, 'This is no proxy; use GET or HEAD.');

/** How many connections above the limit are told so at a time. Further ones are dropped. */
const MAX_REFUSED = 100;

/**
 * Creates a server, not yet listening, with a gateway's listener. `log` is best the gateway's own.
 * Throws `Refusal` if a limit is invalid.
 */
export function createServer(
  listener: Listener,
  log: Log = silent,
  given: Partial<Limits> = {},
): Server {
  const limits = readLimits(given);
  const connections = createConnections(listener, limits);
  const markSocket = createSocketMarker();
  const malformed = new WeakSet<Duplex>();
  let refused = 0;
  const server = createHttpServer(
    {
      requireHostHeader: false, // our own check is stricter and responds with a body
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1000, // with Node's 30 s, a limit of 10 s could last 40
      keepAliveTimeout: limits.idleMs,
      noDelay: true,
    },
    connections.serve,
  );
  server.on('connection', (socket) => {
    markSocket(socket);
    socket.destroySoon = () => linger(socket); // which Node calls after a connection's last response
    if (connections.add(socket)) return;
    if (refused >= MAX_REFUSED) socket.destroy();
    else {
      refused++;
      socket.once('close', () => refused--);
      refuse(socket, TOO_MANY_CONNECTIONS);
    }
  });
  server.on('listening', () => {
    const checks = setInterval(connections.checkReaders, 1000).unref();
    server.once('close', () => clearInterval(checks));
  });
  // Node would invite the body with "100 Continue" before the request is checked.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // Node would respond to other expectations before the framing is checked.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    // Node has removed its own listeners: a reset would end the process, and a full buffer never drain.
    socket.on('error', () => socket.destroy());
    if (connections.running(socket as Socket)) socket.destroy();
    else refuse(socket, NO_PROXY);
  });
  server.on('clientError', (error: ParserError, socket) => {
    const isRequest = /^(HPE_|ERR_HTTP_)/.test(error.code ?? ''); // otherwise the connection broke
    if (!socket.writable || !isRequest) {
      socket.destroy();
      return;
    }
    if (malformed.has(socket)) return; // every further read fails as well
    malformed.add(socket);
    const parserError = parserFailure(error, limits);
    // In the middle of a response, these bytes would be taken for its body.
    const running = connections.running(socket as Socket);
    // A handler that waits for the rest of a body sends the response itself.
    if (running && failBody(running, parserError)) return;
    if (running) running.once('close', () => refuse(socket, parserError));
    else refuse(socket, parserError);
  });
  // Callers that have closed their own side still get their response, which Node would drop. And a response
  // runs until its last byte has left, whereas Node closes the connection when it has handed the bytes over.
  const { closeIdle: closeIdleConnections } = connections;
  return Object.assign(server, { httpAllowHalfOpen: true, closeIdleConnections });

  /** Responds on the socket, because Node has no response object here, and ends the connection. */
  function refuse(socket: Duplex, refusal: Failure): void {
    if (!socket.writable) return;
    const request_id = randomUUID();
    const { status, headers, body } = failureResponse({ id: request_id }, refusal);
    if (!headers.includes('connection')) headers.push('connection', 'close');
    log.access?.({ request_id, status, bytes: body.length }, 'request refused');
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `date: ${new Date().toUTCString()}`,
    ];
    for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
    linger(socket, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
  }
}

/** An error of Node's parser, with the bytes of the last read and how many of them were parsed. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

function parserFailure(error: ParserError, { headBytes }: Limits): Failure {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure(408);
  if (error.code !== 'HPE_HEADER_OVERFLOW') return failure(400);
  if (isInRequestLine(error))
    return new Failure(414, `Keep the request head within ${headBytes} bytes.`);
  return new Failure(
    431,
    `Keep the request head within ${headBytes} bytes and ${MAX_HEADER_LINES} lines.`,
  );
}

/**
 * Returns whether a head ended within its request line. If the line began in an earlier read, nobody knows
 * it any more: its bytes are gone, and a header may have the same ones.
 */
function isInRequestLine({ rawPacket, bytesParsed }: ParserError): boolean {
  const read = rawPacket?.toString('latin1', 0, bytesParsed) ?? '';
  const head = read.slice(read.lastIndexOf('\r\n\r\n') + 1).trimStart(); // earlier requests of the read
  return /^[A-Z-]+ [^\r\n]+$/.test(head);
}

/** How long a lingering close reads and drops what the caller still sends. */
const LINGER_MS = 2000;

/**
 * Lingering close: ends our side of a connection after its last bytes, and the whole connection when the
 * caller has ended its own side, or after two seconds. A close with unread bytes would reset the
 * connection, and a caller that is sending megabytes would never read why its request was refused.
 */
export function linger(socket: Duplex, last?: Uint8Array): void {
  socket.end(last, () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  });
  // A body may have paused the socket or be about to resume it. After both calls, Node reads in either case.
  socket.pause();
  socket.once('resume', () => {
    // Node's parser lets go of a socket with listeners of others, and takes no more requests from it.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
  });
  socket.resume();
}

/** The longest time-out that Node accepts: 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Stops a server: it accepts no new connections, sends the responses in flight and closes idle
 * connections. After `graceMs` milliseconds it cuts the rest.
 */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => server.closeAllConnections(), Math.min(graceMs, MAX_TIMEOUT_MS));
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(cut);
}
