// The whole API on one page: what may be asked, what is answered, how it may fail.

import * as v from 'valibot';

import { answers } from './answers.ts';
import type { Contract } from './api.ts';
import { MemoryId } from './memory.ts';
import { Moment, TimeZone } from './moment.ts';
import { Cursor, Fields, Flag, Limit, Order, Query } from './parameters.ts';

const ListInput = v.pipe(
  v.strictObject({
    limit: v.optional(Limit),
    cursor: v.optional(Cursor),
    order: v.optional(Order),
    started_after: v.optional(Moment),
    started_before: v.optional(Moment),
    timezone: v.optional(TimeZone),
    is_processing: v.optional(Flag),
    q: v.optional(Query),
    fields: v.optional(Fields),
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
      ...answers.memories.list,
      method: 'GET',
      summary: 'List the memories of the key owner, newest first',
      input: ListInput,
      failures: [401, 422, 500],
    },
    get: {
      ...answers.memories.get,
      method: 'GET',
      summary: 'Get one memory',
      input: v.strictObject({ memory_id: MemoryId, fields: v.optional(Fields) }),
      failures: [401, 404, 422, 500],
    },
  },
  changes: {
    list: {
      ...answers.changes.list,
      method: 'GET',
      summary: 'List what has changed, oldest first',
      input: v.strictObject({ since: v.optional(Cursor), limit: v.optional(Limit) }),
      failures: [401, 422, 500],
    },
  },
} as const satisfies Contract;
