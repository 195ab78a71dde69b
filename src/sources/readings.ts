// Decides whether a list by position must be read again, because items were deleted while it was read.

import type { Source } from './source.ts';

/** How often a list is read at most. After that, the next run reads it again. */
const MOST_READINGS = 5;

/**
 * Tells whether a list by position must be read again: an item that is deleted moves all behind it to the front,
 * and one of them perhaps to a page that was read already. That cannot be if each page repeats an item of the pages
 * before it, or if two readings found the same.
 */
export function createReadings({ isByPosition = false }: Source) {
  let count = 1;
  let before: ReadonlySet<string> | undefined;
  let ids = new Set<string>();
  let isTorn = false;
  return {
    size: () => ids.size,
    add(found: readonly string[], isFirstPage: boolean): void {
      isTorn ||= isByPosition && !isFirstPage && !found.some((id) => ids.has(id));
      for (const id of found) ids.add(id);
    },
    /** Whether this reading may lack items. */
    hasGap: () => isTorn && before?.isSubsetOf(ids) !== true,
    /** Begins another reading if this one may lack items. */
    again(): boolean {
      if (!isTorn || before?.isSubsetOf(ids) === true || count === MOST_READINGS) return false;
      count++;
      before = ids;
      ids = new Set();
      isTorn = false;
      return true;
    },
  };
}
