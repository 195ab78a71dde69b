// Finds the passages of one memory that are about a question, as numbered lines in the order of the transcript.

import { countFitting, sentBytes } from '../budget.ts';
import { numberLines, showText } from '../show.ts';
import type { CallContext } from '../tool.ts';

/** What to look for, where, and with which budget of the API. */
export interface FindInMemory {
  readonly memory_id: string;
  readonly query: string;
  readonly apiTokens: number;
}

/** Returns the lines of the best passages, and hints about words that do not occur. */
export async function findInMemory(
  { api, signal }: CallContext,
  { memory_id, query, apiTokens }: FindInMemory,
) {
  const { passages, absent_words, nearest_words } = await api.search(
    { q: query, memory_id, limit: 100, max_tokens: apiTokens },
    { signal },
  );
  const { total } = await api.memories.lines(
    { memory_id, first: 1, last: 1, max_tokens: 100 },
    { signal },
  );
  const inTranscript = passages.filter(({ lines }) => lines.length > 0);
  // A passage has one copy in the API's budget; a response has two, with line numbers.
  const kept = inTranscript.slice(
    0,
    Math.max(
      1,
      countFitting(inTranscript.length, (count) => {
        const text = inTranscript
          .slice(0, count)
          .map((each) => numberLines(each.text, each.lines[0] ?? 1));
        return sentBytes({ text: text.join('\n') }) <= apiTokens * 8;
      }),
    ),
  );
  const numbered = kept
    .toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))
    .flatMap(({ text, lines }) => numberLines(text, lines[0] ?? 1).split('\n'));
  const [first = 0] = kept[0]?.lines ?? [];
  const hints = {
    ...(numbered.length === 0 ? { found: false } : {}),
    absent_words: absent_words.map(showText),
    nearest_words,
  };
  return { total, first, last: first, text: '', numbered, hints };
}
