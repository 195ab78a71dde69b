// Batches: ranges read piece by piece, where a search pauses between its weeks to give others a turn.

import { setImmediate } from 'node:timers/promises';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Batch, Item, Position, Range, Store } from '../store/store.ts';

/** How many bytes of memories are read in one go: what a list may cost the event loop and the heap. */
export const BATCH_BYTES = 256 * 1024;

/** Lets others go first: a reader in the same process is served by microtasks, which would not. */
export const turn = (): Promise<void> => setImmediate();

/** Reads up to so many memories, or as many as a batch may weigh. */
export function readItems(store: Store, range: Range, limit: number): Awaitable<Batch> {
  return readOn(
    (after, have) => store.items({ ...range, after, limit: limit - have }, BATCH_BYTES),
    (items) => items.length >= limit || sizeOf(items) >= BATCH_BYTES,
    range.after,
  );
}

/** Reads up to so many places. */
export function readPlaces(store: Store, range: Range, limit: number): Awaitable<Batch<Position>> {
  return readOn(
    (after, have) => store.positions({ ...range, after, limit: limit - have }),
    (places) => places.length >= limit,
    range.after,
  );
}

/** Reads batches until they are enough, or there is no more: at once where one batch is. */
function readOn<T extends Position>(
  read: (after: Position | undefined, have: number) => Awaitable<Batch<T>>,
  isEnough: (items: readonly T[]) => boolean,
  start: Position | undefined,
): Awaitable<Batch<T>> {
  return andThen(read(start, 0), (first) =>
    first.rest === undefined || isEnough(first.items) ? first : goOn(first),
  );

  async function goOn(first: Batch<T>): Promise<Batch<T>> {
    const items = [...first.items];
    let { rest } = first;
    while (rest !== undefined && !isEnough(items)) {
      await turn();
      const more: Batch<T> = await read(rest, items.length);
      items.push(...more.items);
      ({ rest } = more);
    }
    return { items, rest };
  }
}

function sizeOf(items: readonly Item[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
