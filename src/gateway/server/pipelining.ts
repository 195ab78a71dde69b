// HTTP pipelining: passes Node's parser one request at a time, and no further ones while many await their response.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection's requests. */
export interface Requests {
  /** Counts a request until its response is closed. */
  readonly add: (response: ServerResponse) => void;
}

/**
 * How many requests of a connection wait for their response. Only the first one is being answered. The second
 * saves the time between a response and the next request. With eight, 1,000 connections that sent 500 requests
 * each took 320 MiB instead of 120: those that wait outlive the collections of young objects.
 */
const MAX_WAITING = 2;

const END_OF_HEAD = '\r\n\r\n';

/**
 * Limits the requests of a connection. To be called when the connection is opened, after Node's own listener.
 *
 * Node parses all of a read, and a paused socket or parser does not stop it in between. So 64 KiB from a
 * client without a key became 600 requests and 1.7 MB. Here a read is split where heads may end, and what is
 * too early waits as bytes. Meanwhile nothing more is read, and the client's system has to wait.
 */
export function limitRequests(socket: Socket): Requests {
  /** Bytes that have not reached the parser, and `null` at their end. */
  let held: (Buffer | null)[] = [];
  let waiting = 0;
  let isPassing = false;
  const push = socket.push.bind(socket);
  const read: unknown = Reflect.get(socket, '_read');

  // Node's parser reads from the system by itself, until somebody else wants the bytes.
  socket.on('data', ignore).off('data', ignore);
  Reflect.set(socket, '_read', (size: number) => {
    if (held.length === 0 && typeof read === 'function') Reflect.apply(read, socket, [size]);
  });
  socket.push = (bytes: Buffer | null) => {
    held.push(bytes);
    return pass();
  };
  socket.once('close', () => (held = []));

  const isNextAllowed = () => held.length > 0 && waiting < MAX_WAITING;

  /** Passes on what may be parsed. Returns whether more may be read. */
  function pass(): boolean {
    if (isPassing) return false; // a response was closed within the parser
    isPassing = true;
    let mayRead = true;
    while (isNextAllowed()) mayRead = push(next());
    isPassing = false;
    return mayRead && held.length === 0;
  }

  /** Removes the bytes up to the next end of a head. */
  function next(): Buffer | null {
    const [first] = held;
    const end = first?.indexOf(END_OF_HEAD) ?? -1;
    const length = end + END_OF_HEAD.length;
    if (!first || end === -1 || length === first.length) return held.shift() ?? null;
    held[0] = first.subarray(length);
    return first.subarray(0, length);
  }

  return {
    add(response) {
      waiting++;
      response.once('close', () => {
        waiting--;
        pass();
      });
    },
  };
}

function ignore(): void {}
