// The HTTP server: Node's limits set tight, and its own bodiless errors turned into ours.

import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { Failure } from '../contract/failure.ts';
import { renderFailure } from './head.ts';
import type { Listener } from './listener.ts';

/** Makes a server, not yet listening, that answers by a gateway's listener. */
export function createServer(listener: Listener): Server {
  const answering = new WeakMap<Duplex, number>(); // more than one when requests are pipelined
  const count = (socket: Duplex, by: number) =>
    answering.set(socket, (answering.get(socket) ?? 0) + by);
  const server = createHttpServer(
    {
      requireHostHeader: false, // ours is stricter, and answers with a body
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 1000, // Node's 30 s would let a 10 s limit pass for 40
      keepAliveTimeout: 5000,
      noDelay: true,
    },
    (request, response) => {
      const { socket } = request;
      count(socket, 1);
      response.once('close', () => count(socket, -1));
      listener(request, response);
    },
  );
  // Node would invite the body with "100 Continue" before anyone has judged the request.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (_request, response) => {
    const failure = new Failure(417, 'Send no Expect header but "100-continue".');
    const { head, body } = renderFailure(failure, { id: randomUUID() });
    response.writeHead(417, [...head, 'content-length', String(body.length)]).end(body);
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, new Failure(501, 'This is no proxy; use GET or HEAD.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer more bytes would pass for its body.
    if (!socket.writable || error.code === 'ECONNRESET' || answering.get(socket)) socket.destroy();
    else refuse(socket, parserFailure(error.code));
  });
  return server;
}

function parserFailure(code: string | undefined): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure(408, 'Send the request faster.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure(431, 'Keep the request head within 16 KiB.');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Failure(413, 'Send no chunk extensions.');
  return new Failure(400, 'Send a well-formed HTTP/1.1 request.');
}

/**
 * Stops a server: no new connections, running answers finish, idle connections go, and what is left
 * after `graceMs` is cut.
 */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Answers on the bare socket, where Node has no response object, and ends the connection. */
function refuse(socket: Duplex, failure: Failure): void {
  // After "connect" Node has taken its own listener away, and a reset would end the process.
  socket.on('error', () => socket.destroy());
  const { head, body } = renderFailure(failure, { id: randomUUID() });
  const lines = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    `date: ${new Date().toUTCString()}`,
  ];
  for (let i = 0; i < head.length; i += 2) lines.push(`${head[i]}: ${head[i + 1]}`);
  lines.push(`content-length: ${body.length}`, '', '');
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), body]), () => socket.destroy());
}
