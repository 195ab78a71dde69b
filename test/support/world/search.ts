// A world to search in: memories of nothing but talk, and the passages that a query finds.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import type { Memory } from '../../../src/contract/schemas/memory.ts';
import type { SearchResult } from '../../../src/contract/schemas/passages.ts';
import { send } from '../wire/wire.ts';
import { createWorld, memory } from './world.ts';

/** Creates a memory with a transcript and nothing else to find. */
export function spoken(id: string, transcript: string, rest: Partial<Memory> = {}): Memory {
  const summary = { quick_summary: '', key_takeaways: [] };
  return memory({ name: 'untitled', summary, ...rest, id, transcript });
}

/** Returns the ids of the memories of passages, in their order. */
export function found({ passages }: Pick<SearchResult, 'passages'>): string[] {
  return passages.map(({ memory_id }) => memory_id);
}

/** Serves an account with some memories. */
export async function createSearch(t: TestContext, list: readonly Memory[]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', list);
  const get = async (query: string) => send(world.port, { path: `/v1/search?${query}`, key });
  const find = async (q: string, rest = ''): Promise<SearchResult> => {
    const { status, text } = await get(`q=${encodeURIComponent(q)}${rest}`);
    assert.equal(status, 200, text);
    return JSON.parse(text) as SearchResult;
  };
  const ids = async (q: string, rest?: string) => found(await find(q, rest));
  return { world, key, get, find, ids };
}
