// How many lines a transcript has.

import type { CallContext } from '../tool.ts';

/** Counts the lines of a transcript by its first one. Rejects with `Failure`. */
export async function countLines({ api, signal }: CallContext, memory_id: string): Promise<number> {
  const first = { memory_id, first: 1, last: 1, max_tokens: 100 };
  return (await api.memories.lines(first, { signal })).total;
}
