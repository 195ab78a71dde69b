// Lists: a short one in one piece, a long one as a stream of batches at constant memory.

import { setImmediate } from 'node:timers/promises';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Answer } from '../contract/handlers.ts';
import type { Json, JsonStream } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';
import type { Batch, Item, Position, Range, Store } from '../store/store.ts';
import { encodeCursor } from './cursor.ts';

// A reader in the same process is served by microtasks alone: between batches the others have a turn.
const turn = () => setImmediate();

type List = Omit<Answer<Memory[]>, 'etag'>;

/** How many bytes of memories are read in one go: what a list may cost the event loop and the heap. */
const BATCH_BYTES = 256 * 1024;

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/**
 * Reads a list. The first batch is read at once, so that what fails there is a whole 500. No
 * statement or snapshot stays open between batches: each starts where the last one ended, so a
 * memory that is there throughout comes once, whatever is added or deleted meanwhile.
 */
export function readList(store: Store, range: Range): Awaitable<List> {
  return andThen(store.items(range, BATCH_BYTES), (first) => {
    const { items, ended } = first;
    const { limit } = range;
    const last = items.at(-1);
    if (last === undefined || (ended && items.length !== limit)) return { body: whole(items) };
    if (limit === undefined)
      return { body: streamAll(store, range, first) as JsonStream<Memory[]> };

    // Where the page ends is learnt before its first byte leaves: the link to the next is a header.
    const left = limit - items.length;
    return andThen(store.positions({ ...range, after: last, limit: left + 1 }), (places) => {
      const rest = places.slice(0, left);
      const after = rest.at(-1) ?? last;
      const next =
        places.length > left ? encodeCursor({ order: range.order, limit, after }) : undefined;
      if (rest.length === 0) return { next, body: whole(items) };
      return { next, body: streamPage(store, range, items, rest) as JsonStream<Memory[]> };
    });
  });
}

async function* streamAll(store: Store, range: Range, first: Batch): AsyncIterable<Uint8Array> {
  let { items, ended } = first;
  yield join(OPEN, items);
  while (!ended) {
    await turn();
    ({ items, ended } = await store.items({ ...range, after: items.at(-1) }, BATCH_BYTES));
    if (items.length > 0) yield join(COMMA, items);
  }
  yield CLOSE;
}

/** Streams the memories at `places` after the first items; what left its place meanwhile is left out. */
async function* streamPage(
  store: Store,
  { account_id }: Range,
  first: readonly Item[],
  places: readonly Position[],
): AsyncIterable<Uint8Array> {
  yield join(OPEN, first);
  let batch: Pick<Item, 'body'>[] = [];
  let bytes = 0;
  for (const { id, started_at } of places) {
    const found = await store.memory(account_id, id, '');
    if (!found?.body || found.started_at !== started_at) continue;
    const { body } = found;
    batch.push({ body });
    bytes += body.length;
    if (bytes < BATCH_BYTES) continue;
    yield join(COMMA, batch);
    batch = [];
    bytes = 0;
    await turn();
  }
  if (batch.length > 0) yield join(COMMA, batch);
  yield CLOSE;
}

function whole(items: readonly Item[]): Json<Memory[]> {
  return Buffer.concat([join(OPEN, items), CLOSE]) as Uint8Array as Json<Memory[]>;
}

/** Puts `before` in front of the first body, and commas between. */
function join(before: Buffer, items: readonly Pick<Item, 'body'>[]): Buffer {
  return Buffer.concat(
    items.length === 0
      ? [before]
      : items.flatMap(({ body }, i) => [i === 0 ? before : COMMA, body]),
  );
}
