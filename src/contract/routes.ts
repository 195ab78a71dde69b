// The whole API on one page: what may be asked, what is answered, how it may fail.

import * as v from 'valibot';

import type { Contract } from './api.ts';
import { Memory, MemoryId } from './memory.ts';

/** How many memories a page may hold at most. */
const MAX_LIMIT = 1000;

/** Checks the size of a page. */
export const Limit = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_LIMIT),
  v.description(`a whole number from 1 to ${MAX_LIMIT}`),
);

const Cursor = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,4096}$/),
  v.description('a cursor taken whole from the "next" link of an earlier answer'),
);

/** Checks an order: newest or oldest first. */
export const Order = v.pipe(v.picklist(['desc', 'asc']), v.description('"desc" or "asc"'));

const ListInput = v.pipe(
  v.strictObject({
    limit: v.optional(Limit),
    cursor: v.optional(Cursor),
    order: v.optional(Order),
  }),
  v.check(
    (input) =>
      input.cursor === undefined ||
      Object.keys(input).every((name) => name === 'cursor' || name === 'limit'),
    'The parameter "cursor" carries the other parameters of its first request; send it with "limit" alone.',
  ),
);

/** The endpoints under /v1, from which router, checks and types are drawn. */
export const routes = {
  memories: {
    list: {
      method: 'GET',
      path: '/v1/memories',
      summary: 'List the memories of the key owner, newest first',
      input: ListInput,
      output: v.array(Memory),
      failures: [401, 422, 500],
    },
    get: {
      method: 'GET',
      path: '/v1/memories/{memory_id}',
      summary: 'Get one memory',
      input: v.strictObject({ memory_id: MemoryId }),
      output: Memory,
      failures: [401, 404, 422, 500],
    },
  },
} as const satisfies Contract;
