// Turns: the requests of a pipeline are worked on one after the other, as their answers leave.

import type { IncomingMessage, ServerResponse } from 'node:http';

type TakeTurn = (request: IncomingMessage, response: ServerResponse, work: () => void) => void;

/** From so many waiting requests on, no more are read from a connection. */
const PAUSE_AT = 100;

/** At so many the connection ends: Node itself reads on at every drain, so a pause alone is no bound. */
const END_AT = 4000;

/**
 * Makes the function that runs `work` when the answers before it on the same connection have left.
 * Node hands on all requests of a read at once: 500 lists to a reader that does not read took
 * gigabytes, each with a batch and a compressor of its own, though only the first could be sent.
 */
export function createTurns(): TakeTurn {
  const connections = new WeakMap<object, { last: ServerResponse; waiting: number }>();
  return ({ socket }, response, work) => {
    const turns = connections.get(socket);
    if (turns === undefined || turns.last.closed) {
      connections.set(socket, { last: response, waiting: 0 });
      work();
      return;
    }
    turns.last.once('close', () => {
      turns.waiting--;
      if (turns.waiting === PAUSE_AT - 1) socket.resume();
      if (socket.writable) work(); // else it has ended, or is about to
    });
    turns.last = response;
    turns.waiting++;
    if (turns.waiting >= PAUSE_AT) socket.pause();
    if (turns.waiting >= END_AT) socket.destroy();
  };
}
