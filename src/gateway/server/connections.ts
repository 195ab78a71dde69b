// Connections: closes idle ones, cuts slow readers, and limits the number of connections and of requests on each.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Listener } from '../adapters/node.ts';
import type { Limits } from './limits.ts';

/** The connections of a server. */
export interface ServerConnections {
  /** Adds a connection. Returns false if there are as many as the limit. */
  readonly add: (socket: Socket) => boolean;
  /** Tracks a response and passes it to the listener, unless its connection was not added. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Returns the response that is being sent, until its last byte has left. */
  readonly running: (socket: Socket) => ServerResponse | undefined;
  /** Closes idle connections. */
  readonly closeIdle: () => void;
  /** Cuts slow readers. To be called about once a second. */
  readonly checkReaders: () => void;
}

interface Connection {
  latest: ServerResponse | undefined;
  requests: number;
  /** The number of bytes received at the last check, and the time since when there are no more. */
  bytesReceived: number;
  quietSince: number;
  readonly budget: ReaderBudget;
}

/** A connection is idle after this time without a byte, because a request may be on its way on a new one. */
const QUIET_MS = 500;

/** The most time that a reader loses between two checks, since a stalled process is not its fault. */
const MAX_CHECK_MS = 2000;

/** Creates the register of a server's connections, which calls the listener for their requests. */
export function createConnections(listener: Listener, limits: Limits): ServerConnections {
  const { sendMs } = limits;
  const connections = new Map<Socket, Connection>();
  let checkedAt = performance.now();

  function running(socket: Socket): ServerResponse | undefined {
    const latest = connections.get(socket)?.latest;
    return latest?.closed === false ? latest : undefined;
  }

  return {
    add(socket) {
      if (connections.size >= limits.connections) return false;
      connections.set(socket, {
        latest: undefined,
        requests: 0,
        bytesReceived: 0,
        quietSince: performance.now(),
        budget: createReaderBudget(sendMs),
      });
      socket.once('close', () => connections.delete(socket));
      return true;
    },
    serve(request, response) {
      const connection = connections.get(request.socket);
      // Node parses the rest of a read although the connection was closed within it.
      if (connection === undefined || request.socket.destroyed) return;
      connection.latest = response;
      if (++connection.requests >= limits.requests) response.setHeader('connection', 'close');
      listener(request, response);
    },
    running,
    closeIdle() {
      const now = performance.now();
      for (const [socket, connection] of connections) {
        if (running(socket) || socket.bytesRead !== connection.bytesReceived) {
          connection.bytesReceived = socket.bytesRead;
          connection.quietSince = now;
        } else if (now - connection.quietSince >= QUIET_MS) socket.destroy();
      }
    },
    checkReaders() {
      const now = performance.now();
      const elapsed = Math.min(now - checkedAt, MAX_CHECK_MS);
      checkedAt = now;
      for (const [socket, { budget }] of connections) {
        const pending = socket.writableLength;
        const taken = socket.bytesWritten - pending;
        const isWaiting = pending > 0 && running(socket) !== undefined;
        // A reset, because after a normal close the system would keep megabytes for the reader, for minutes.
        if (isTooSlow(budget, { taken, isWaiting, elapsed }, sendMs)) socket.resetAndDestroy();
      }
    },
  };
}

/**
 * The bytes that a reader has to take in `sendMs`. A lower limit could not be measured, because bytes
 * count as taken when the system has accepted them. It accepts more only when a third of its own buffer is
 * free, which may be 1.4 MB (Linux, tcp_wmem).
 */
export const MIN_READ_BYTES = 2 * 1024 * 1024;

/** The time credit of a connection's reader. */
export interface ReaderBudget {
  /** Bytes taken by the last check. */
  taken: number;
  /** The time left, in milliseconds. */
  credit: number;
}

/** A reader's progress at a check. */
export interface ReaderProgress {
  /** Bytes taken since the connection was opened. A write counts when all of it was taken. */
  readonly taken: number;
  /** Whether bytes wait for the reader. Otherwise the gateway is the slow side. */
  readonly isWaiting: boolean;
  /** Milliseconds since the last check. */
  readonly elapsed: number;
}

/** Creates the budget of a new connection. */
export function createReaderBudget(sendMs: number): ReaderBudget {
  return { taken: 0, credit: sendMs };
}

/**
 * Updates a reader's budget and returns whether it is used up. Credit starts at `sendMs`, drains while
 * bytes are pending, and refills at `MIN_READ_BYTES` per `sendMs`. So a reader may stall for `sendMs`, but
 * not be slower than that rate for longer. A reader for whom no bytes wait has full credit.
 */
export function isTooSlow(
  budget: ReaderBudget,
  { taken, isWaiting, elapsed }: ReaderProgress,
  sendMs: number,
): boolean {
  const gained = ((taken - budget.taken) / MIN_READ_BYTES) * sendMs;
  budget.taken = taken;
  budget.credit = isWaiting ? Math.min(budget.credit + gained - elapsed, sendMs) : sendMs;
  return budget.credit < 0;
}
