// Streams: parts of a long answer on their way, each made when the one before has gone on, and released behind it.

import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { release } from '../store/bytes.ts';

type Parts = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Sends parts that nobody else holds; rejects when they cannot be read to their end, or their reader has left. */
export function sendParts(parts: Parts, response: ServerResponse): Promise<void> {
  return pipeline(isNodesOwn(response) ? releasing(parts, response) : parts, response);
}

/** Passes on parts that nobody else holds, and releases each that `sink` is through with when the next is asked for. */
export async function* releasing(parts: Parts, sink: Pick<Writable, 'writableLength'>): Parts {
  for await (const part of parts) {
    yield part;
    if (sink.writableLength === 0) release(part);
  }
}

/**
 * Tells whether bytes that have left a response are gone: a host that wraps `write`, or brings
 * connections of its own making, may still hold them.
 */
function isNodesOwn({ write, socket }: { write: unknown; socket: unknown }): boolean {
  const node: { write: unknown } = ServerResponse.prototype;
  return write === node.write && socket instanceof Socket;
}
