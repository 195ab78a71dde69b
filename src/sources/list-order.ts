// The order of a list: how far back it was read, and where its next page is.

import type { JsonObject } from '../formats/format.ts';
import type { ProductPage, Source } from './source.ts';

/**
 * Whether everything newer than the oldest time was read. A deletion moves items to pages by position that were read
 * already. Then the versions tell what was read.
 */
export function canLeaveTail({ isByPosition = false, takesUntil = false }: Source): boolean {
  return takesUntil || !isByPosition;
}

/** The next page to request. */
export interface PagePosition {
  readonly cursor: string | undefined;
  readonly until: number | undefined;
}

/**
 * Returns where the next page is. Positions are wrong as soon as an item is deleted, so pages by position are
 * requested by time if the product can do that, and by position only within one moment.
 */
export function nextPosition(
  source: Source,
  { next }: ProductPage,
  { until }: PagePosition,
  order: Order,
): PagePosition | undefined {
  if (next === undefined) return undefined;
  const reached = order.reached();
  if (source.takesUntil === true && source.isByPosition === true && order.isSorted()) {
    const bound = reached === undefined ? undefined : boundOf(source, reached);
    if (bound !== undefined && (until === undefined || bound < until))
      return { cursor: undefined, until: bound };
  }
  return { cursor: next, until };
}

/** Longer than the fractions of a second that a product may cut off. */
const MARGIN_MS = 1000;

/** Returns the time before which a list continues that was read back to `reached`. */
export function boundOf({ isGrouped = false }: Source, reached: number): number {
  // A page of groups ends between two of them. Others of the same moment may follow otherwise.
  return isGrouped ? reached : reached + MARGIN_MS;
}

type Order = ReturnType<typeof createOrder>;

/** Notes how far back a list was read, and whether it is in its documented order. */
export function createOrder({ timeOf, isGrouped = false }: Source) {
  let oldest: number | undefined;
  let isSorted = true;
  return {
    add(items: readonly JsonObject[]): void {
      const times = items.map(timeOf).filter((time) => time !== undefined);
      const limit = oldest === undefined ? Infinity : oldest + MARGIN_MS;
      isSorted &&= times.every((time, i) => time <= (isGrouped ? limit : (times[i - 1] ?? limit)));
      oldest = Math.min(oldest ?? Infinity, ...times);
      if (oldest === Infinity) oldest = undefined;
    },
    reached: () => oldest,
    isSorted: () => isSorted,
  };
}
