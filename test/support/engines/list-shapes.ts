// All shapes of lists, and those of chunks and positions, which read no search.

import type { ListShape } from '../../../src/store/sql/lists.ts';

const ORDERS = ['desc', 'asc'] as const;
const BOTH = [true, false];
const PROJECTIONS = ['body', 'slim', undefined] as const;

/** All shapes of lists. */
export const LIST_SHAPES: readonly ListShape[] = ORDERS.flatMap((order) =>
  BOTH.flatMap((byState) =>
    BOTH.flatMap((bySearch) =>
      PROJECTIONS.map((projection) => ({ order, byState, bySearch, projection })),
    ),
  ),
);

/** All shapes of chunks. */
export const CHUNK_SHAPES = LIST_SHAPES.flatMap(({ order, byState, bySearch, projection }) =>
  bySearch || projection === undefined ? [] : [{ order, byState, projection }],
);

/** All shapes of positions. */
export const POSITION_SHAPES = LIST_SHAPES.flatMap(({ order, byState, bySearch, projection }) =>
  bySearch || projection !== undefined ? [] : [{ order, byState }],
);
