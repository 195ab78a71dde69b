// The whole API on one page: parameters, responses and errors of every endpoint.

import * as v from 'valibot';

import { clientRoutes } from './client-routes.ts';
import type { Contract, InputSchema } from './route.ts';
import type {
  ActionItemsParameters,
  ChangesParameters,
  DaysParameters,
  DetailsParameters,
  GetParameters,
  LinesParameters,
  PeopleParameters,
  SearchParameters,
  TagsParameters,
} from './schemas/inputs.ts';
import { MemoryId } from './schemas/memory.ts';
import { Moment, TimeZone } from './schemas/moment.ts';
import {
  Cursor,
  facetFilters,
  Fields,
  Flag,
  Limit,
  LineNumber,
  Order,
  PassageLimit,
  QueryText,
  TokenBudget,
} from './schemas/parameters.ts';

/** The parameters that choose memories by their start. */
export const timeFilters = {
  started_after: v.optional(Moment),
  started_before: v.optional(Moment),
  timezone: v.optional(TimeZone),
};

/** Returns whether a cursor, if there is one, comes with these parameters alone. */
function isCursorAlone(input: { readonly cursor?: unknown }, others: readonly string[]): boolean {
  return (
    input.cursor === undefined ||
    Object.keys(input).every((name) => name === 'cursor' || others.includes(name))
  );
}

const LIMIT_ALONE =
  'The parameter "cursor" carries the other parameters of its first request; send it with "limit" alone.';

const ListInput = v.pipe(
  v.strictObject({
    limit: v.optional(Limit),
    cursor: v.optional(Cursor),
    order: v.optional(Order),
    ...timeFilters,
    is_processing: v.optional(Flag),
    q: v.optional(QueryText),
    ...facetFilters,
    fields: v.optional(Fields),
  }),
  v.check((input) => isCursorAlone(input, ['limit']), LIMIT_ALONE),
);

const GetInput: InputSchema<GetParameters> = v.strictObject({
  memory_id: MemoryId,
  fields: v.optional(Fields),
});

const DetailsInput: InputSchema<DetailsParameters> = v.strictObject({ memory_id: MemoryId });

const LinesInput: InputSchema<LinesParameters> = v.pipe(
  v.strictObject({
    memory_id: MemoryId,
    first: v.optional(LineNumber),
    last: v.optional(LineNumber),
    max_tokens: v.optional(TokenBudget),
    times: v.optional(Flag),
  }),
  v.check(
    ({ first = 1, last = Infinity }) => first <= last,
    'The parameter "last" is less than "first"; send the number of the same line or a later one.',
  ),
);

const SearchInput: InputSchema<SearchParameters> = v.pipe(
  v.strictObject({
    q: v.optional(QueryText),
    memory_id: v.optional(MemoryId),
    ...timeFilters,
    is_processing: v.optional(Flag),
    ...facetFilters,
    limit: v.optional(PassageLimit),
    max_tokens: v.optional(TokenBudget),
    cursor: v.optional(Cursor),
  }),
  v.check(
    ({ q, cursor }) => q !== undefined || cursor !== undefined,
    'Send the parameter "q" with the words to look for.',
  ),
  v.check(
    (input) => isCursorAlone(input, ['limit', 'max_tokens']),
    'The parameter "cursor" carries the other parameters of its first request; send it with "limit" and "max_tokens" alone.',
  ),
);

const DaysInput: InputSchema<DaysParameters> = v.strictObject({
  ...timeFilters,
  ...facetFilters,
});

const PeopleInput: InputSchema<PeopleParameters> = v.pipe(
  v.strictObject({
    limit: v.optional(Limit),
    cursor: v.optional(Cursor),
    q: v.optional(QueryText),
    ...timeFilters,
  }),
  v.check((input) => isCursorAlone(input, ['limit']), LIMIT_ALONE),
);

const TagsInput: InputSchema<TagsParameters> = v.strictObject(timeFilters);

const ItemsInput: InputSchema<ActionItemsParameters> = v.pipe(
  v.strictObject({
    limit: v.optional(Limit),
    cursor: v.optional(Cursor),
    done: v.optional(Flag),
    owner: v.optional(QueryText),
    ...timeFilters,
  }),
  v.check((input) => isCursorAlone(input, ['limit']), LIMIT_ALONE),
);

const ChangesInput: InputSchema<ChangesParameters> = v.pipe(
  v.strictObject({
    since: v.optional(Cursor),
    limit: v.optional(Limit),
    order: v.optional(Order),
    cursor: v.optional(Cursor),
  }),
  v.check(
    ({ since, cursor, order }) => since === undefined || (cursor === undefined && order !== 'desc'),
    'The parameter "since" asks for later changes, oldest first; send it without "cursor" and without "order=desc".',
  ),
  v.check(
    ({ cursor, order }) => cursor === undefined || order === undefined,
    'The parameter "cursor" carries the order of its first request; send it with "limit" alone.',
  ),
);

/** The endpoints under `/v1` with JSON. The router, validation, types and OpenAPI document are made from them. */
export const routes = {
  memories: {
    list: {
      ...clientRoutes.memories.list,
      method: 'GET',
      auth: 'key',
      summary: 'List the memories of the key owner, newest first',
      input: ListInput,
      failures: [401, 403, 422, 500],
    },
    get: {
      ...clientRoutes.memories.get,
      method: 'GET',
      auth: 'key',
      summary: 'Get one memory',
      input: GetInput,
      failures: [401, 403, 404, 422, 500],
    },
    lines: {
      ...clientRoutes.memories.lines,
      method: 'GET',
      auth: 'key',
      summary: 'Get a part of a transcript by its lines',
      input: LinesInput,
      failures: [401, 403, 404, 422, 500],
    },
    details: {
      ...clientRoutes.memories.details,
      method: 'GET',
      auth: 'key',
      summary: 'Get what the source knew of a memory besides its fields',
      input: DetailsInput,
      failures: [401, 404, 422, 500],
    },
  },
  search: {
    passages: {
      ...clientRoutes.search.passages,
      method: 'GET',
      auth: 'key',
      summary: 'Search for passages, best first',
      input: SearchInput,
      failures: [401, 404, 422, 500],
    },
  },
  days: {
    list: {
      ...clientRoutes.days.list,
      method: 'GET',
      auth: 'key',
      summary: 'Count memories per day, oldest first',
      input: DaysInput,
      failures: [401, 422, 500],
    },
  },
  people: {
    list: {
      ...clientRoutes.people.list,
      method: 'GET',
      auth: 'key',
      summary: 'List people, those with the most memories first',
      input: PeopleInput,
      failures: [401, 422, 500],
    },
  },
  tags: {
    list: {
      ...clientRoutes.tags.list,
      method: 'GET',
      auth: 'key',
      summary: 'List folders, tags, stars and sources',
      input: TagsInput,
      failures: [401, 422, 500],
    },
  },
  actionItems: {
    list: {
      ...clientRoutes.actionItems.list,
      method: 'GET',
      auth: 'key',
      summary: 'List action items, newest first',
      input: ItemsInput,
      failures: [401, 422, 500],
    },
  },
  changes: {
    list: {
      ...clientRoutes.changes.list,
      method: 'GET',
      auth: 'key',
      summary: 'List what has changed',
      input: ChangesInput,
      failures: [401, 410, 422, 500],
    },
  },
} as const satisfies Contract;
