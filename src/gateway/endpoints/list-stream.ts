// Streams long lists part by part. No statement or snapshot stays open between two parts.

import type { Awaitable } from '../../lib/async.ts';
import { releaseBytes } from '../../store/bytes.ts';
import { isBefore } from '../../store/positions.ts';
import type { ListPosition } from '../../store/positions.ts';
import type { ListBatch, ListEntry } from '../../store/store.ts';
import { callerLeft } from '../request/transport.ts';
import {
  join,
  readChunk,
  readMemories,
  totalSize,
  type HasBytes,
  type ListReader,
} from './list-reader.ts';

type Parts = AsyncIterable<Uint8Array>;

/** The start of a list that has been read, and the position after it. */
interface Start {
  readonly bytes: Uint8Array;
  readonly isEmpty: boolean;
  readonly after: ListPosition | undefined;
}

/** Starts a stream with the memories before a position. If they are large, they are dropped, and read again in turn. */
function startWith(
  reader: ListReader,
  items: readonly ListEntry[],
  after: ListPosition | undefined,
): Start {
  if (reader.holdLarge !== undefined && dropIfLarge(items))
    return { bytes: Buffer.from('['), isEmpty: true, after: reader.range.after };
  return { bytes: join(reader, items, { before: '[' }), isEmpty: items.length === 0, after };
}

/** Streams a list of which the first batch has been read. */
export function streamAll(reader: ListReader, { items, rest }: ListBatch): Parts {
  return streamAfter(reader, startWith(reader, items, rest));
}

async function* streamAfter(reader: ListReader, { bytes, isEmpty, after }: Start): Parts {
  yield bytes;
  let separator = isEmpty ? '' : ',';
  for (let isEnd = false; !isEnd;) {
    await reader.nextTurn();
    const from = after;
    const { part, release } = await readInTurn(
      reader,
      () => readChunk(reader, from),
      (chunk) => [chunk],
    );
    try {
      if (part.bytes.length > 0) {
        if (separator !== '') yield Buffer.from(separator);
        yield part.bytes;
        separator = ',';
      }
    } finally {
      release();
    }
    after = part.rest;
    isEnd = after === undefined;
  }
  yield Buffer.from(']');
}

/** Streams the first memories, then those at `positions`. Memories that have been deleted or moved are left out. */
export function streamPage(
  reader: ListReader,
  first: readonly ListEntry[],
  positions: readonly ListPosition[],
): Parts {
  const firstKeys = first.map(keyOf);
  const start = startWith(reader, first, first.at(-1));
  const missing = new Set([...(start.isEmpty ? firstKeys : []), ...positions.map(keyOf)]);
  return streamMissing(reader, start, { missing, last: positions.at(-1) });
}

/** What remains of a page: the keys of its memories, and the position of the last one. */
interface Remaining {
  readonly missing: Set<string>;
  readonly last: ListPosition | undefined;
}

async function* streamMissing(
  reader: ListReader,
  { bytes, isEmpty, after }: Start,
  { missing, last }: Remaining,
): Parts {
  yield bytes;
  let before = isEmpty ? '' : ',';
  const { order } = reader.range;
  const isPast = (position: ListPosition) =>
    last === undefined ||
    (order === 'desc' ? !isBefore(last, position) : !isBefore(position, last));
  for (let isEnd = after !== undefined && isPast(after); !isEnd && missing.size > 0;) {
    await reader.nextTurn();
    const range = { ...reader.range, after, limit: missing.size };
    const { part, release } = await readInTurn(
      reader,
      () => readMemories(reader, range),
      ({ items }) => items,
    );
    try {
      const items = part.items.filter((item) => missing.delete(keyOf(item)));
      if (items.length > 0) {
        yield join(reader, items, { before });
        before = ',';
      }
    } finally {
      release();
    }
    after = part.rest;
    isEnd = after === undefined || isPast(after);
  }
  yield Buffer.from(']');
}

function keyOf({ started_at, id }: ListPosition): string {
  return `${started_at} ${id}`;
}

/** The largest part that any number of streams of an account may hold. Parts are smaller unless one memory is larger. */
const LARGE_BYTES = 1024 * 1024;

/** Releases parts that are large together. Returns whether they were. */
function dropIfLarge(parts: readonly HasBytes[]): boolean {
  if (totalSize(parts) <= LARGE_BYTES) return false;
  for (const { bytes } of parts) if (typeof bytes !== 'string') releaseBytes(bytes);
  return true;
}

/**
 * Reads a part of a stream. Only one stream of an account holds a large part at a time: another drops its
 * part and reads it again in its turn. Otherwise each of 64 stopped readers would hold 60 MB.
 */
async function readInTurn<T>(
  { holdLarge, isAborted }: ListReader,
  read: () => Awaitable<T>,
  bytesOf: (part: T) => readonly HasBytes[],
): Promise<{ readonly part: T; readonly release: () => void }> {
  const part = await readIfSmall();
  if (part !== undefined) return { part, release: () => {} };
  const release = (await holdLarge?.()) ?? (() => {});
  try {
    if (isAborted()) throw callerLeft();
    return { part: await read(), release };
  } catch (error) {
    release();
    throw error;
  }

  /** A function of its own, so that nothing refers to a dropped part while its turn is awaited. */
  async function readIfSmall(): Promise<T | undefined> {
    const first = await read();
    return holdLarge !== undefined && dropIfLarge(bytesOf(first)) ? undefined : first;
  }
}
