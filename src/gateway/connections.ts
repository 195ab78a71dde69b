// Connections: what a server knows of each, so that idle ones go, slow readers are cut, and there are not too many.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Limits } from './limits.ts';
import { createPace, isTooSlow, type Pace } from './pace.ts';

/** No reader loses more time than this between two looks. */
const LONGEST_MS = 2000;

/** A connection on which nothing has come for so long is idle: a request may be on its way to a younger one. */
const QUIET_MS = 500;

interface Connection {
  /** The answer that was begun last. */
  last: ServerResponse | undefined;
  requests: number;
  /** How many bytes had come when it was last looked at, and since when no others have. */
  came: number;
  quietSince: number;
  readonly pace: Pace;
}

/** The connections of a server. */
export interface Connections {
  /** Takes note of a connection; false when there are as many as there may be. */
  readonly add: (socket: Socket) => boolean;
  /** Takes note of an answer; false when the connection was not taken. */
  readonly begin: (socket: Socket, response: ServerResponse) => boolean;
  /** The answer that is on its way: until its last byte has left. */
  readonly running: (socket: Socket) => ServerResponse | undefined;
  /** Closes the idle. */
  readonly closeIdle: () => void;
  /** Cuts readers that are too slow; to be called about every second. */
  readonly look: () => void;
}

/** Makes the book of a server's connections. */
export function createConnections(limits: Limits): Connections {
  const { sendMs } = limits;
  const connections = new Map<Socket, Connection>();
  let looked = performance.now();

  function running(socket: Socket): ServerResponse | undefined {
    const last = connections.get(socket)?.last;
    return last?.closed === false ? last : undefined;
  }

  function cutSlow(elapsed: number): void {
    for (const [socket, { pace }] of connections) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting;
      const isWaiting = waiting > 0 && running(socket) !== undefined;
      // By a reset: the system would go on holding megabytes for who has been cut, for minutes.
      if (isTooSlow(pace, { taken, isWaiting, elapsed }, sendMs)) socket.resetAndDestroy();
    }
  }

  return {
    add(socket) {
      if (connections.size >= limits.connections) return false;
      const quietSince = performance.now();
      const pace = createPace(sendMs);
      connections.set(socket, { last: undefined, requests: 0, came: 0, quietSince, pace });
      socket.once('close', () => connections.delete(socket));
      return true;
    },
    begin(socket, response) {
      const connection = connections.get(socket);
      if (connection === undefined) return false;
      connection.last = response;
      if (++connection.requests >= limits.requests) response.setHeader('connection', 'close');
      return true;
    },
    running,
    closeIdle() {
      const now = performance.now();
      for (const [socket, connection] of connections) {
        if (running(socket) || socket.bytesRead !== connection.came) {
          connection.came = socket.bytesRead;
          connection.quietSince = now;
        } else if (now - connection.quietSince >= QUIET_MS) socket.destroy();
      }
    },
    look() {
      const now = performance.now();
      // Where the process itself stood still, its readers are not to blame.
      cutSlow(Math.min(now - looked, LONGEST_MS));
      looked = now;
    },
  };
}
