// Reads a list of memories: a short one whole, a long one as a stream of batches in constant memory. Has what all lists share.

import { hash } from 'node:crypto';

import type { HandlerResult } from '../../contract/handlers.ts';
import type { Json, JsonStream } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { toMillisecondBounds, type TimeBounds } from '../../lib/timezone.ts';
import { BATCH_BYTES } from '../../store/bytes.ts';
import { isChecked, type ListPosition } from '../../store/positions.ts';
import type { ListBatch, ListEntry } from '../../store/store.ts';
import { VERSION } from '../../version.ts';
import type { Caller } from '../request/auth.ts';
import { callerLeft } from '../request/transport.ts';
import { listCursor, type ListQuery } from './cursor.ts';
import { ALL_FIELDS, selectFields } from './fields.ts';
import { join, readMemories, totalSize, type ListReader, type ListSource } from './list-reader.ts';
import { streamAll, streamPage } from './list-stream.ts';

type ListResult = Omit<HandlerResult<Partial<Memory>[]>, 'etag'>;
type ListStream = JsonStream<Partial<Memory>[]>;

/**
 * Returns the ETag of a list, without reading the list. The revision is older than the read, or the same,
 * so the ETag may be too old but never too new.
 */
export function etagOf({ revision, scope }: Caller, query: object): string {
  const own = scope === undefined ? [] : [scope];
  return hash('sha256', JSON.stringify([VERSION, revision, query, ...own]));
}

const NO_BOUNDS = { started_after: undefined, started_before: undefined };

/** Returns the bounds of a request in milliseconds. Most requests have none. */
export function toBounds(bounds: TimeBounds<string>, timezone: string | undefined) {
  if (bounds.started_after === undefined && bounds.started_before === undefined) return NO_BOUNDS;
  return toMillisecondBounds(bounds, timezone);
}

/**
 * Reads a list. It reads the first batch before it returns, so that an error there becomes a complete 500.
 * No statement or snapshot stays open between batches. Each batch starts where the last one ended, so a
 * memory that exists throughout appears exactly once, even if others are added or deleted.
 */
export function readList(
  source: ListSource,
  { account_id, revision }: Caller,
  query: ListQuery,
): Awaitable<ListResult> {
  const { fields, limit, ...filters } = query;
  const { projection, ...selection } = fields === undefined ? ALL_FIELDS : selectFields(fields);
  const range = { ...filters, account_id, revision, projection };
  const fromPosition = isChecked(range) ? selection.fromPosition : undefined;
  const reader = { ...source, range, ...selection, fromPosition };
  if (limit === undefined) return readAll(reader);
  return readPage(reader, limit, (last) => listCursor({ ...query, after: last }));
}

function readAll(reader: ListReader): Awaitable<ListResult> {
  return andThen(readEntries(reader, Infinity), (first) =>
    first.rest === undefined
      ? { body: toBody(reader, first), revision: first.revision }
      : { body: streamAll(reader, first) as ListStream },
  );
}

function readPage(
  reader: ListReader,
  limit: number,
  cursorAfter: (last: ListPosition) => string,
): Awaitable<ListResult> {
  // One more than the page has shows whether another page follows.
  return andThen(readEntries(reader, limit + 1), (first) => {
    const { items, rest: after, revision } = first;
    if (items.length > limit) {
      const page = items.slice(0, limit);
      const next = cursorAfter(page.at(-1) as ListEntry);
      return { next, body: toBody(reader, { ...first, items: page }), revision };
    }
    if (after === undefined) return { body: toBody(reader, first), revision };
    // The link to the next page is a header, so the end of a long page is found before its first byte is sent.
    const left = limit - items.length;
    return andThen(readPositions(reader, after, left + 1), ({ items: positions }) => {
      const rest = positions.slice(0, left);
      const next =
        positions.length > left
          ? cursorAfter((rest.at(-1) ?? items.at(-1)) as ListPosition)
          : undefined;
      if (rest.length === 0) return { next, body: toBody(reader, first) };
      return { next, body: streamPage(reader, items, rest) as ListStream };
    });
  });
}

/** Reads up to `limit` memories, or as many as a batch has bytes. */
function readEntries(reader: ListReader, limit: number): Awaitable<ListBatch> {
  const { range } = reader;
  return readUntil(reader, {
    start: range.after,
    read: (after, count) => readMemories(reader, { ...range, after, limit: limit - count }),
    isEnough: (entries) => entries.length >= limit || totalSize(entries) >= BATCH_BYTES,
  });
}

/** Reads up to `limit` positions after one. */
function readPositions(
  reader: ListReader,
  start: ListPosition,
  limit: number,
): Awaitable<ListBatch<ListPosition>> {
  const { store, range } = reader;
  return readUntil(reader, {
    start,
    read: (after, count) => store.positions({ ...range, after, limit: limit - count }),
    isEnough: (positions) => positions.length >= limit,
  });
}

interface BatchReader<T extends ListPosition> {
  readonly start: ListPosition | undefined;
  /** Reads a batch after a position, given how many items there are already. */
  readonly read: (after: ListPosition | undefined, count: number) => Awaitable<ListBatch<T>>;
  readonly isEnough: (items: readonly T[]) => boolean;
}

/** Reads batches until they are enough or the list ends. One batch needs no promise. */
function readUntil<T extends ListPosition>(
  { nextTurn, isAborted }: ListSource,
  { start, read, isEnough }: BatchReader<T>,
): Awaitable<ListBatch<T>> {
  return andThen(read(start, 0), (first) =>
    first.rest === undefined || isEnough(first.items) ? first : readMore(first),
  );

  async function readMore(first: ListBatch<T>): Promise<ListBatch<T>> {
    const items = [...first.items];
    let { rest, revision } = first;
    while (rest !== undefined && !isEnough(items)) {
      await nextTurn();
      if (isAborted()) throw callerLeft();
      const more: ListBatch<T> = await read(rest, items.length);
      items.push(...more.items);
      ({ rest } = more);
      if (more.revision !== revision) revision = undefined; // batches of two revisions have none
    }
    return { items, rest, revision };
  }
}

/** Returns the body of a list. The memories themselves are empty afterwards. */
function toBody(reader: ListReader, { items, release }: ListBatch): Json<Partial<Memory>[]> {
  const body = join(reader, items, { before: '[', after: ']' });
  release?.();
  return body as Json<Partial<Memory>[]>;
}
