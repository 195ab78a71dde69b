// The whole API on one page: what may be asked, what is answered, how it may fail.

import * as v from 'valibot';

import type { Contract } from './api.ts';
import { described, titled } from './describe.ts';
import { Memory, MemoryId } from './memory.ts';

/** How many memories a page may hold at most. */
const MAX_LIMIT = 1000;

/** Checks the size of a page. */
export const Limit = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_LIMIT),
  v.examples([3]),
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
    limit: v.optional(titled(Limit, 'How many memories a page holds at most')),
    cursor: v.optional(titled(Cursor, 'Where the page starts')),
    order: v.optional(titled(Order, 'Newest first, the default, or oldest first')),
  }),
  v.check(
    (input) =>
      input.cursor === undefined ||
      Object.keys(input).every((name) => name === 'cursor' || name === 'limit'),
    'The parameter "cursor" carries the other parameters of its first request; send it with "limit" alone.',
  ),
  v.description(
    'Without parameters, the answer is all memories of the account. With `limit` it is a page, and while more follow, its header `link` leads to the next; the `cursor` in it goes with `limit` alone or with nothing.',
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
      output: described(v.array(Memory), 'The memories, by start and then by id.'),
      failures: [401, 422, 500],
    },
    get: {
      method: 'GET',
      path: '/v1/memories/{memory_id}',
      summary: 'Get one memory',
      input: described(
        v.strictObject({ memory_id: titled(MemoryId, 'Which memory') }),
        'A memory of another account is as little there as one that never was.',
      ),
      output: Memory,
      failures: [401, 404, 422, 500],
    },
  },
} as const satisfies Contract;

/** What each group of endpoints is about. */
export const groups = {
  memories: 'Recorded sessions: names, times, summaries and transcripts.',
} as const satisfies Record<keyof typeof routes, string>;
