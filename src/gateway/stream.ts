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

/** What a host or an agent puts in its place is another, and may hold the bytes it has seen. */
const write: unknown = Reflect.get(ServerResponse.prototype, 'write');
const writeToSocket: unknown = Reflect.get(Socket.prototype, 'write');

const ours = new WeakSet<object>();

/** Takes note of a connection that our own server has accepted: nobody else holds what is written to it. */
export function ownConnection(socket: object): void {
  if (socket instanceof Socket) ours.add(socket); // another may bring anything as a connection
}

/** Tells whether bytes that have left a response are gone: a host of another make may still hold them. */
function isOurs(response: ServerResponse): boolean {
  const { socket } = response;
  if (socket === null || !ours.has(socket) || Reflect.get(response, 'write') !== write)
    return false;
  return Reflect.get(socket, 'write') === writeToSocket;
}
