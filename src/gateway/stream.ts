// Streams: parts of a long answer on their way, each made when the one before has gone on, and released behind it.

import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { release } from '../store/bytes.ts';
import { piecesOf } from './pace.ts';

type Parts = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Sends parts that nobody else holds; rejects when they cannot be read to their end, or their reader has left. */
export function sendParts(parts: Parts, response: ServerResponse): Promise<void> {
  return pipeline(isOurs(response) ? releasing(parts, response) : inPieces(parts), response);
}

async function* inPieces(parts: Parts): AsyncIterable<Uint8Array> {
  for await (const part of parts) yield* piecesOf(part);
}

/** Passes on parts that nobody else holds, in pieces, and releases each that `sink` is through with when the next is asked for. */
export async function* releasing(
  parts: Parts,
  sink: Pick<Writable, 'writableLength'>,
): AsyncIterable<Uint8Array> {
  for await (const part of parts) {
    yield* piecesOf(part);
    if (sink.writableLength === 0) release(part);
  }
}

/** How bytes are written, of a response and of a socket. What a host or an agent puts in its place is another, and may hold the bytes it has seen. */
interface Writes {
  readonly response: unknown;
  readonly socket: unknown;
}

/** The connections that our own server has accepted, and how it wrote when it was made. */
const ours = new WeakMap<object, Writes>();

/** Makes the function that takes note of a connection of our own server: nobody else holds what is written to it. */
export function ownConnections(): (socket: object) => void {
  const writes = {
    response: writeOf(ServerResponse.prototype),
    socket: writeOf(Socket.prototype),
  };
  return (socket) => {
    if (socket instanceof Socket) ours.set(socket, writes); // another may bring anything as a connection
  };
}

/** Tells whether bytes that have left a response are gone: a host of another make may still hold them. */
function isOurs(response: ServerResponse): boolean {
  const { socket } = response;
  if (socket === null) return false;
  const writes = ours.get(socket);
  if (writes === undefined) return false;
  return writes.response === writeOf(response) && writes.socket === writeOf(socket);
}

function writeOf(sink: object): unknown {
  return Reflect.get(sink, 'write');
}
