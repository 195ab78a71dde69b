// Finds the passages of one memory that are about a question, as numbered lines in the order of the transcript.

import { countFitting, sentBytes } from '../budget.ts';
import { readPassages } from '../passages/read-passages.ts';
import { numberLines } from '../show.ts';
import type { CallContext } from '../tool.ts';

/** What to look for, where, and with which budget in tokens. */
export interface FindInMemory {
  readonly memory_id: string;
  readonly query: string;
  readonly max_tokens: number;
}

/** The most passages of a response. */
const MOST = 1000;

/** Reads the best passages, and what the search says about words that do not occur. */
export async function findInMemory(
  context: CallContext,
  { memory_id, query, max_tokens }: FindInMemory,
) {
  const search = { q: query, memory_id };
  const { passages, first } = await readPassages(context, search, { most: MOST, max_tokens });
  return { first, passages: passages.filter(({ lines }) => lines.length > 0) };
}

/** Numbers the lines of as many passages as fit, best first, and returns them in the order of the transcript. */
export function numberPassages(
  { passages }: Pick<Awaited<ReturnType<typeof findInMemory>>, 'passages'>,
  room: number,
): string[] {
  const texts = passages.map(({ text, lines: [first = 1] }) => ({
    first,
    text: numberLines(text, first),
  }));
  const join = (count: number) =>
    texts
      .slice(0, count)
      .map(({ text }) => text)
      .join('\n');
  const count = countFitting(texts.length, (most) => sentBytes(join(most)) <= room);
  return texts
    .slice(0, Math.max(1, count))
    .toSorted((a, b) => a.first - b.first)
    .flatMap(({ text }) => text.split('\n'));
}
