// The newest memories of a search, with their passages, as one response.

import { Failure } from '../../../contract/failure.ts';
import type { Passage } from '../../../contract/schemas/passages.ts';
import { corrected, isStrict } from '../../../text/query-pieces.ts';
import type { AppHandlers } from '../call.ts';

/** How many memories a response has by default, and how many passages each. */
const TEN = 10;

/** Finds them, with what a search says about its words. */
export const findNewest: AppHandlers['searches']['newest'] = async (call) => {
  const { gateway } = call.app;
  const { account_id } = call.reader;
  const { after, limit = TEN, ...input } = call.input;
  const caller = await gateway.callerOf(account_id, undefined);
  const { memories, hasMore, ...about } = await gateway.findByTime.newest(
    { caller, transport: call.request.transport },
    input,
    {
      limit,
      after: after && { id: after.memory_id, started_at: Date.parse(after.started_at) },
    },
  );
  const { search, memories: stored } = gateway.as(account_id);
  // Without the absent words: in each memory, words like them would be looked for again.
  const absent = Object.fromEntries(about.absent_words.map((word) => [word, []]));
  const q = corrected(input.q, { ...absent, ...about.searched_instead });
  const passages: Passage[] = [];
  for (const { id: memory_id } of memories) {
    try {
      // Those near a person of the search, as the best ones are, otherwise any.
      for (const person of new Set([input.person, undefined])) {
        const { items } = await search.page({ q, memory_id, person, limit: TEN });
        const some = items.passages.filter(({ marks }) => marks.length > 0);
        passages.push(...some);
        if (some.length > 0) break;
      }
      if (isStrict(q) || passages.at(-1)?.memory_id === memory_id) continue;
      // Without any, the name stands for the memory.
      const { name, started_at, is_processing } = await stored.get({ memory_id });
      passages.push({
        memory_id,
        name,
        started_at,
        is_processing,
        source: 'name',
        lines: [],
        text: name,
        marks: [],
      });
    } catch (error) {
      // It was deleted meanwhile.
      if (!(error instanceof Failure && error.status === 404)) throw error;
    }
  }
  const last = hasMore ? memories.at(-1) : undefined;
  const next = last && {
    memory_id: last.id,
    started_at: new Date(last.started_at).toISOString(),
  };
  return { output: { ...about, passages, next } };
};
