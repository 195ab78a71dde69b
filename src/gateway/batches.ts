// Batches: ranges read piece by piece, where a search pauses between its weeks to give others a turn.

import { setImmediate } from 'node:timers/promises';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { sizeOf } from '../store/bytes.ts';
import type { Batch, Item, Position, Range, Store } from '../store/store.ts';

/** How many bytes of memories are read in one go: what a list may cost the event loop and the heap. */
export const BATCH_BYTES = 256 * 1024;

/** Where ranges are read from, and whether anybody still waits for what is read. */
export interface Source {
  readonly store: Store;
  readonly isGone: () => boolean;
}

let line: Promise<void> = Promise.resolve();

/**
 * Lets others go first: a reader in the same process is served by microtasks, which would not. One at
 * a time, as Node runs all immediates that wait before it looks at its sockets again.
 */
export function turn(): Promise<void> {
  line = line.then(() => setImmediate());
  return line;
}

/** Reads up to so many memories, or as many as a batch may weigh. */
export function readItems(
  { store, isGone }: Source,
  range: Range,
  limit: number,
): Awaitable<Batch> {
  return readOn(
    (after, have) => store.items({ ...range, after, limit: limit - have }, BATCH_BYTES),
    (items) => items.length >= limit || sizeOfAll(items) >= BATCH_BYTES,
    { after: range.after, isGone },
  );
}

/** Reads up to so many places. */
export function readPlaces(
  { store, isGone }: Source,
  range: Range,
  limit: number,
): Awaitable<Batch<Position>> {
  return readOn(
    (after, have) => store.positions({ ...range, after, limit: limit - have }),
    (places) => places.length >= limit,
    { after: range.after, isGone },
  );
}

/** Reads batches until they are enough, or there is no more: at once where one batch is. */
function readOn<T extends Position>(
  read: (after: Position | undefined, have: number) => Awaitable<Batch<T>>,
  isEnough: (items: readonly T[]) => boolean,
  { after, isGone }: Pick<Range, 'after'> & Pick<Source, 'isGone'>,
): Awaitable<Batch<T>> {
  return andThen(read(after, 0), (first) =>
    first.rest === undefined || isEnough(first.items) ? first : goOn(first),
  );

  async function goOn(first: Batch<T>): Promise<Batch<T>> {
    const items = [...first.items];
    let { rest, revision } = first;
    while (rest !== undefined && !isEnough(items)) {
      await turn();
      if (isGone()) throw new Failure(400, 'Nobody waits for this answer any more.');
      const more: Batch<T> = await read(rest, items.length);
      items.push(...more.items);
      ({ rest } = more);
      if (more.revision !== revision) revision = undefined; // of two states, so of none
    }
    return { items, rest, revision };
  }
}

function sizeOfAll(items: readonly Item[]): number {
  return items.reduce((sum, { bytes }) => sum + sizeOf(bytes), 0);
}
