// Types of the contract: programs that compile, and programs that must not. Checked by tsc, never run.

import * as v from 'valibot';

import { createClient } from '../../src/client/index.ts';
import type { Api, ApiOf, Page } from '../../src/contract/api.ts';
import type { Failure, FailureReason } from '../../src/contract/failure.ts';
import type { fileRoutes } from '../../src/contract/file-routes.ts';
import type { HandlerResult, Handlers } from '../../src/contract/handlers.ts';
import { toJson, type Json } from '../../src/contract/json.ts';
import type { Contract, Input } from '../../src/contract/route.ts';
import type { routes } from '../../src/contract/routes.ts';
import { Day as DaySchema, type Day } from '../../src/contract/schemas/day-totals.ts';
import type { Details } from '../../src/contract/schemas/details.ts';
import type { FirstPageParameters, NextPageParameters } from '../../src/contract/schemas/inputs.ts';
import {
  Change as ChangeSchema,
  Memory as MemorySchema,
  Summary as SummarySchema,
  type Change,
  type Memory,
  type Summary,
} from '../../src/contract/schemas/memory.ts';
import {
  TranscriptLines as LinesSchema,
  type TranscriptLines,
} from '../../src/contract/schemas/part.ts';

declare const api: Api;
declare const memory: Memory;
interface Context {
  readonly account: string;
}

export const list: Promise<Memory[]> = api.memories.list({ limit: 1, order: 'asc' });
export const all: Promise<Memory[]> = api.memories.list();
export const one: Promise<Memory> = api.memories.get({ memory_id: 'a' });
export const page: Promise<Page<Memory[]>> = api.memories.page({ cursor: 'c' });
export const each: AsyncGenerator<Memory, void> = api.memories.each({ order: 'asc' });
const { signal } = new AbortController();
void api.memories.list({}, { signal });
void api.memories.list({ limit: undefined }, { signal: undefined });
void api.memories.get({ memory_id: 'a' }, { signal });

// @ts-expect-error: limit is a number
void api.memories.list({ limit: '1' });
// @ts-expect-error: no such order
void api.memories.list({ order: 'up' });
// @ts-expect-error: no such parameter
void api.memories.list({ page: 1 });
// @ts-expect-error: the id is needed
void api.memories.get({});
// @ts-expect-error: the input is needed
void api.memories.get();
// @ts-expect-error: a signal is an AbortSignal
void api.memories.list({}, { signal: 'stop' });
// @ts-expect-error: no such option
void api.memories.list({}, { timeout: 1 });
// @ts-expect-error: one memory has no pages
void api.memories.get.page({ memory_id: 'a' });
// @ts-expect-error: a page is not a list
export const items: Promise<Memory[]> = api.memories.page();
// @ts-expect-error: no such field
void api.memories.get({ memory_id: 'a' }).then(({ titel }) => titel);
// @ts-expect-error: no such endpoint
void api.memories.remove({ memory_id: 'a' });
// @ts-expect-error: one memory is not a list
export const wrong: Promise<Memory[]> = api.memories.get({ memory_id: 'a' });

// @ts-expect-error: bytes are not known to be JSON of a memory
export const bytes: Json<Memory> = new Uint8Array();
// @ts-expect-error: JSON of a list is not JSON of a memory
export const listJson: Json<Memory> = toJson([memory]);

declare const details: Details;
const answer: HandlerResult<Memory> = { etag: 'x', body: toJson(memory) };
export const handlers: Handlers<Context> = {
  memories: {
    list: ({ account }, { limit }) => ({ etag: `${account}${limit}`, body: toJson([memory]) }),
    get: (_context, { memory_id }) => (memory_id === 'a' ? answer : Promise.resolve(answer)),
    lines: (_context, { memory_id, first = 1 }) => ({
      body: toJson({ memory_id, total: 1, first, last: 1, text: '' }),
    }),
    details: () => ({ body: toJson(details) }),
  },
  search: {
    passages: () => ({
      body: toJson({
        passages: [],
        memories_found: 0,
        memories_searched: 0,
        absent_words: [],
        searched_instead: {},
        nearest_words: {},
      }),
    }),
  },
  days: { list: (_context, { timezone = 'UTC' }) => ({ etag: timezone, body: toJson([]) }) },
  people: { list: () => ({ body: toJson([]) }) },
  tags: { list: () => ({ body: toJson([]) }) },
  actionItems: { list: () => ({ body: toJson([]) }) },
  changes: { list: () => ({ body: toJson([]) }) },
};
export const missing: Handlers<Context> = {
  ...handlers,
  // @ts-expect-error: the handler of get is missing
  memories: {
    list: handlers.memories.list,
    lines: handlers.memories.lines,
    details: handlers.memories.details,
  },
};
export const other: Handlers<Context> = {
  ...handlers,
  memories: {
    ...handlers.memories,
    // @ts-expect-error: the output is of another shape
    get: () => ({ etag: 'x', body: toJson({ titel: 'a' }) }),
  },
};

export const halves: Handlers<Context>['changes'] = {
  // @ts-expect-error: a change is not cut
  list: () => ({ body: toJson([{ memory_id: 'a' }]) }),
};
export const extra: Handlers<Context> = {
  ...handlers,
  memories: {
    ...handlers.memories,
    // @ts-expect-error: a handler of no route
    remove: handlers.memories.get,
  },
};

export const clients: Api[] = [
  createClient({ baseUrl: 'http://host', apiKey: 'key' }),
  createClient({ baseUrl: new URL('http://host'), apiKey: async () => 'key', cache: new Map() }),
];
// @ts-expect-error: a client needs a key
createClient({ baseUrl: 'http://host' });
// @ts-expect-error: no such setting
createClient({ baseUrl: 'http://host', apiKey: 'key', timeout: 5 });

// A failure has one of the known reasons.
export const reason = (failure: Failure): FailureReason => failure.reason;
// @ts-expect-error: no such reason
export const noReason: FailureReason = 'offline';

// A second group, an endpoint without a cursor and a required input: all derived from the contract.
const contract = {
  notes: {
    list: {
      method: 'GET',
      auth: 'key',
      path: '/v1/notes',
      summary: 'List notes',
      input: v.strictObject({ q: v.optional(v.string()) }),
      output: v.array(v.object({ text: v.string() })),
      failures: [401],
    },
    search: {
      method: 'GET',
      auth: 'key',
      path: '/v1/search',
      summary: 'Search notes',
      input: v.strictObject({ q: v.string() }),
      output: v.number(),
      failures: [401],
    },
  },
} as const satisfies Contract;
declare const notes: ApiOf<typeof contract>;
export const texts: Promise<{ text: string }[]> = notes.notes.list();
export const found: Promise<number> = notes.notes.search({ q: 'x' });
// @ts-expect-error: q is needed
void notes.notes.search();
// @ts-expect-error: a list without a cursor has no pages
void notes.notes.each();

// The documented interfaces have the methods, parameters and fields of the contract, and no others.
type Same<A, B> = [A, B] extends [B, A] ? true : false;
function same<A, B>(_: Same<A, B>): void {}
type Routes = typeof routes;
type ListInput = Input<Routes['memories']['list']>;
type NotShared = 'cursor' | 'fields' | 'person';
type Files = ApiOf<{ memories: Pick<(typeof fileRoutes)['memories'], 'original'> }>;
type Methods = ApiOf<Routes> & Files;
same<Api, Methods>(true);
same<keyof Api['memories'], keyof Methods['memories']>(true);
same<keyof Api['changes'], keyof ApiOf<Routes>['changes']>(true);
same<keyof FirstPageParameters, keyof ListInput>(true);
same<keyof NextPageParameters, keyof ListInput>(true);
same<Omit<FirstPageParameters, NotShared>, Omit<ListInput, NotShared>>(true);
same<Memory, v.InferOutput<typeof MemorySchema>>(true);
same<keyof Memory, keyof typeof MemorySchema.entries>(true);
same<keyof Summary, keyof typeof SummarySchema.entries>(true);
same<TranscriptLines, v.InferOutput<typeof LinesSchema>>(true);
same<Day, v.InferOutput<typeof DaySchema>>(true);
same<Change, v.InferOutput<typeof ChangeSchema>>(true);
same<keyof Change, keyof typeof ChangeSchema.entries>(true);
