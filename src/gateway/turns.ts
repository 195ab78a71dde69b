// Turns: the requests of a pipeline are worked on one after the other, as their answers leave.

import type { IncomingMessage, ServerResponse } from 'node:http';

type TakeTurn = (request: IncomingMessage, response: ServerResponse, work: () => void) => void;

/**
 * Makes the function that runs `work` when the answers before it on the same connection have left.
 * Node hands on all requests of a read at once: 500 lists to a reader that does not read took
 * gigabytes, each with a batch and a compressor of its own, though only the first could be sent.
 */
export function createTurns(): TakeTurn {
  const last = new WeakMap<object, ServerResponse>();
  return ({ socket }, response, work) => {
    const before = last.get(socket);
    last.set(socket, response);
    if (before === undefined || before.closed) work();
    else before.once('close', () => socket.destroyed || work());
  };
}
