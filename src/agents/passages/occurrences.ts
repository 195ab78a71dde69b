// Where the words of an exact query stand in a transcript: how many lines, and which.

import type { QueryTerm } from '../../text/search-query.ts';
import { readQuery } from '../../text/search-query.ts';
import { wordsOf } from '../../text/tokenizer.ts';

/** How many line numbers are listed. */
const MAX_LISTED = 10;

/** After how many lines others may run. */
const SLICE = 500;

/** Says in which lines the words of a query are: all of them, or if no line has all, any of them. */
export async function describeOccurrences(
  transcript: string,
  q: string,
  pause?: () => Promise<void>,
): Promise<string> {
  const terms = readQuery(q);
  const withAll: number[] = [];
  const withAny: number[] = [];
  for (const [i, line] of transcript.split('\n').entries()) {
    if (i % SLICE === SLICE - 1) await pause?.();
    const words = wordsOf(line);
    const found = terms.filter((term) => has(words, term)).length;
    if (found > 0) withAny.push(i + 1);
    if (found === terms.length) withAll.push(i + 1);
  }
  if (withAny.length === 0) return 'in no line, but in the name, the summary or across lines';
  if (withAll.length > 0) return listLines(withAll);
  return `${listLines(withAny)}, never all words in one line`;
}

function has(words: readonly string[], { words: wanted, isPrefix }: QueryTerm): boolean {
  return words.some((_, at) =>
    wanted.every((word, i) => {
      const said = words[at + i];
      return isPrefix && i === wanted.length - 1 ? said?.startsWith(word) : said === word;
    }),
  );
}

function listLines(lines: readonly number[]): string {
  const listed = lines.slice(0, MAX_LISTED).map((line) => `L${line}`);
  const rest = lines.length > MAX_LISTED ? ', …' : '';
  return `in ${lines.length} ${lines.length === 1 ? 'line' : 'lines'} (${listed.join(', ')}${rest})`;
}
