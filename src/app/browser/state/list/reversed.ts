// A list from its end: the oldest memory first, as calendars have them.

import { layOut, type DayCount } from './layout.ts';
import type { RowSource } from './list-source.ts';

/** Puts the rows of a source into another order. `days` are those of the source. */
export type Turn = (source: RowSource, days: readonly DayCount[]) => RowSource;

/**
 * Returns a counted source from its end: the oldest first. `days` are those of the source. The source still reads in
 * parts, also around a memory that is damaged.
 */
export const createReversed: Turn = (source, days) => {
  const layout = layOut(days.toReversed());
  const turned = (row: number) => layout.rows - 1 - row;
  return {
    layout,
    get isOff() {
      return source.isOff;
    },
    rowAt: (row) => source.rowAt(turned(row)),
    find: (id) => {
      const row = source.find(id);
      return row === undefined ? undefined : turned(row);
    },
    step: (from, to) => source.step(turned(to) + 1, turned(from) + 1),
    locate: async (anchor) => turned(await source.locate(anchor)),
    replace: source.replace,
  };
};
