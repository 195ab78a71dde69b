// Lists: a short one in one piece, a long one as a stream of batches at constant memory.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Answer } from '../contract/handlers.ts';
import type { Json, JsonStream } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';
import { join as joinBytes } from '../store/bytes.ts';
import { isBefore } from '../store/position.ts';
import type { Batch, Item, Piece, Position, Range } from '../store/store.ts';
import type { Caller } from './auth.ts';
import { BATCH_BYTES, readItems, readPlaces, turn, type Source } from './batches.ts';
import { listCursor, type ListQuery } from './cursor.ts';
import { cutTo, type Cut } from './fields.ts';

type List = Omit<Answer<Partial<Memory>[]>, 'etag'>;
type Body = JsonStream<Partial<Memory>[]>;
type Parts = AsyncIterable<Uint8Array>;

/** A list on its way: where it is read, what of it, and how its memories are cut. */
interface Reading extends Source, Pick<Cut, 'cut' | 'isAsStored'> {
  readonly range: Range;
}

/**
 * Reads a list. The first batch is read at once, so that what fails there is a whole 500. No
 * statement or snapshot stays open between batches: each starts where the last one ended, so a
 * memory that is there throughout comes once, whatever is added or deleted meanwhile.
 */
export function readList(
  source: Source,
  { account_id, revision }: Caller,
  query: ListQuery,
): Awaitable<List> {
  const { fields, limit, ...asked } = query;
  const { bytes, ...cut } = cutTo(fields);
  const reading = { ...source, range: { ...asked, account_id, revision, bytes }, ...cut };
  if (limit === undefined) return readAll(reading);
  return readPage(reading, limit, (last) => listCursor({ ...query, after: last }));
}

function readAll(reading: Reading): Awaitable<List> {
  return andThen(readItems(reading, reading.range, Infinity), (first) =>
    first.rest === undefined
      ? { body: whole(reading, first.items), revision: first.revision }
      : { body: streamAll(reading, first) as Body },
  );
}

function readPage(
  reading: Reading,
  limit: number,
  cursorAfter: (last: Position) => string,
): Awaitable<List> {
  const { range } = reading;
  // One more than the page has: whether another follows is known with the page.
  return andThen(readItems(reading, range, limit + 1), ({ items, rest: after, revision }) => {
    if (items.length > limit) {
      const page = items.slice(0, limit);
      return { next: cursorAfter(page.at(-1) as Item), body: whole(reading, page), revision };
    }
    if (after === undefined) return { body: whole(reading, items), revision };
    // Where a long page ends is learnt before its first byte leaves: the link to the next is a header.
    const left = limit - items.length;
    return andThen(readPlaces(reading, { ...range, after }, left + 1), ({ items: places }) => {
      const rest = places.slice(0, left);
      const next =
        places.length > left ? cursorAfter((rest.at(-1) ?? items.at(-1)) as Position) : undefined;
      if (rest.length === 0) return { next, body: whole(reading, items) };
      return { next, body: streamPage(reading, items, rest) as Body };
    });
  });
}

async function* streamAll(reading: Reading, first: Batch): Parts {
  yield join(reading, first.items, { before: '[' });
  for (let { rest } = first; rest !== undefined;) {
    await turn();
    const piece = await readPiece(reading, rest);
    if (piece.bytes.length > 0) {
      yield Buffer.from(',');
      yield piece.bytes;
    }
    ({ rest } = piece);
  }
  yield Buffer.from(']');
}

/** Reads what comes behind a place: in one piece, unless each memory has to be cut. */
function readPiece(reading: Reading, after: Position): Awaitable<Piece> {
  const { store, isAsStored } = reading;
  const range = { ...reading.range, after };
  if (isAsStored) return store.piece(range, BATCH_BYTES);
  return andThen(store.items(range, BATCH_BYTES), ({ items, rest }) => ({
    bytes: join(reading, items),
    rest,
  }));
}

/** Streams the memories at `places` after the first items; what left its place meanwhile is left out. */
async function* streamPage(
  reading: Reading,
  first: readonly Item[],
  places: readonly Position[],
): Parts {
  const { store, range } = reading;
  yield join(reading, first, { before: '[' });
  const missing = new Set(places.map(nameOf));
  let after: Position | undefined = first.at(-1);
  const last = places.at(-1) as Position;
  const isToGo = (place: Position) =>
    range.order === 'desc' ? isBefore(last, place) : isBefore(place, last);
  while (missing.size > 0 && after && isToGo(after)) {
    await turn();
    const batch: Batch = await store.items({ ...range, after, limit: missing.size }, BATCH_BYTES);
    const items = batch.items.filter((item) => missing.delete(nameOf(item)));
    if (items.length > 0) yield join(reading, items, { before: ',' });
    after = batch.rest;
  }
  yield Buffer.from(']');
}

function nameOf({ started_at, id }: Position): string {
  return `${started_at} ${id}`;
}

function whole(reading: Reading, items: readonly Item[]): Json<Partial<Memory>[]> {
  return join(reading, items, { before: '[', after: ']' }) as Json<Partial<Memory>[]>;
}

/** Puts memories behind each other, each as it is sent. */
function join(
  { cut }: Reading,
  items: readonly Item[],
  { before = '', after = '' } = {},
): Uint8Array<ArrayBuffer> {
  return joinBytes(
    items.map(({ bytes }) => cut(bytes)),
    before,
    after,
  );
}
