// Streams: sends the parts of a long body one after the other, and releases the memory of each once it has been sent.

import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { releaseBytes } from '../../store/bytes.ts';

type Parts = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * Sends parts that nothing else refers to. Rejects if they cannot be read to their end, or if the
 * reader has left.
 */
export function sendStream(parts: Parts, response: ServerResponse): Promise<void> {
  return pipeline(mayRelease(response) ? withRelease(parts, response) : inChunks(parts), response);
}

async function* inChunks(parts: Parts): AsyncIterable<Uint8Array> {
  for await (const part of parts) yield* chunksOf(part);
}

/** Passes parts on in chunks, and releases each part that `sink` has written when the next one is read. */
export async function* withRelease(
  parts: Parts,
  sink: Pick<Writable, 'writableLength'>,
): AsyncIterable<Uint8Array> {
  for await (const part of parts) {
    yield* chunksOf(part);
    if (sink.writableLength === 0) releaseBytes(part);
  }
}

/**
 * Releases a body that nothing else refers to, if the operating system has taken all of it. Otherwise
 * the garbage collector does it later. Fresh memory costs more than to read a page of memories into it:
 * 96 µs for 200 kB, and 4 µs for memory that was just used.
 */
export function releaseSent(body: Uint8Array<ArrayBuffer>, response: ServerResponse): void {
  if (response.writableLength === 0 && mayRelease(response)) releaseBytes(body);
}

/** The fewest bytes whose memory is worth its release. */
export const RELEASED_FROM = 32 * 1024;

/** The size of a write. Slow readers are detected by writes, and a write counts when all of it was taken. */
const CHUNK_BYTES = 128 * 1024;

/** The most bytes that are sent in one write. Longer bodies are sent in chunks. */
export const MAX_WHOLE = 2 * CHUNK_BYTES;

/** Splits bytes into equal chunks of about 128 KiB. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  const count = Math.max(1, Math.round(bytes.length / CHUNK_BYTES));
  const size = Math.ceil(bytes.length / count);
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

/** The methods that wrote to a connection when its server was created. A host or an APM agent may replace them later. */
interface OriginalWrites {
  readonly response: unknown;
  readonly socket: unknown;
}

/** The property of our own server's connections that has their original methods. */
const WRITES = Symbol('original writes');

/** Creates the function that marks the connections of our own server. It is called before the server accepts any. */
export function createSocketMarker(): (socket: object) => void {
  const writes: OriginalWrites = {
    response: writeOf(ServerResponse.prototype),
    socket: writeOf(Socket.prototype),
  };
  return (socket) => {
    // A test or a host may emit anything else as a connection, which may keep the bytes it gets.
    if (socket instanceof Socket) Reflect.set(socket, WRITES, writes);
  };
}

/** Returns whether sent bytes may be released: only our own server, with its original methods, keeps none of them. */
function mayRelease(response: ServerResponse): boolean {
  const { socket } = response;
  if (socket === null) return false;
  const writes = originalWrites(socket);
  if (writes === undefined) return false;
  return writes.response === writeOf(response) && writes.socket === writeOf(socket);
}

function originalWrites(socket: Socket): OriginalWrites | undefined {
  const { [WRITES]: writes } = socket as Socket & { readonly [WRITES]?: OriginalWrites };
  return writes;
}

function writeOf(sink: object): unknown {
  return Reflect.get(sink, 'write');
}
