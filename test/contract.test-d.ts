// Types of the contract: what compiles, and what must not. Checked by tsc, never run.

import type { Api, Answer, Handlers } from '../src/contract/api.ts';
import { toJson, type Json } from '../src/contract/json.ts';
import type { Memory } from '../src/contract/memory.ts';

declare const api: Api;
declare const memory: Memory;
interface Context {
  readonly account: string;
}

export const list: Promise<Memory[]> = api.memories.list({ limit: 1, order: 'asc' });
export const one: Promise<Memory> = api.memories.get({ memory_id: 'a' });

// @ts-expect-error: limit is a number
void api.memories.list({ limit: '1' });
// @ts-expect-error: no such order
void api.memories.list({ order: 'up' });
// @ts-expect-error: no such parameter
void api.memories.list({ page: 1 });
// @ts-expect-error: the id is needed
void api.memories.get({});
// @ts-expect-error: no such endpoint
void api.memories.remove({ memory_id: 'a' });
// @ts-expect-error: one memory is not a list
export const wrong: Promise<Memory[]> = api.memories.get({ memory_id: 'a' });

// @ts-expect-error: bytes are not known to be JSON of a memory
export const bytes: Json<Memory> = new Uint8Array();
// @ts-expect-error: JSON of a list is not JSON of a memory
export const listJson: Json<Memory> = toJson([memory]);

const answer: Answer<Memory> = { etag: 'x', body: toJson(memory) };
export const handlers: Handlers<Context> = {
  memories: {
    list: ({ account }, { limit }) => ({ etag: `${account}${limit}`, body: toJson([memory]) }),
    get: (_context, { memory_id }) => (memory_id === 'a' ? answer : Promise.resolve(answer)),
  },
};
export const missing: Handlers<Context> = {
  // @ts-expect-error: the handler of get is missing
  memories: { list: handlers.memories.list },
};
export const other: Handlers<Context> = {
  memories: {
    ...handlers.memories,
    // @ts-expect-error: the output is of another shape
    get: () => ({ etag: 'x', body: toJson({ id: 'a' }) }),
  },
};
