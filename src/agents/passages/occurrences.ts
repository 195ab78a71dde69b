// Where the words of an exact query stand in a transcript: how many lines, and which.

import type { QueryTerm } from '../../text/search-query.ts';
import { readQuery } from '../../text/search-query.ts';
import { wordSlices } from '../../text/tokenizer.ts';

/** How many line numbers are listed. */
const MAX_LISTED = 10;

/** How many characters are read as words between two pauses, and how many words are compared: about 3 ms. */
const READ = 8 * 1024;
const COMPARED = 50_000;

/** Says in which lines the words of a query are: all of them, or if no line has all, any of them. */
export async function describeOccurrences(
  transcript: string,
  q: string,
  pause: () => Promise<void> = async () => {},
): Promise<string> {
  const terms = readQuery(q);
  const candidatesFor = createCandidates(terms);
  const withAll: number[] = [];
  const withAny: number[] = [];
  let [read, compared] = [0, 0];
  for (const [i, line] of transcript.split('\n').entries()) {
    const words: string[] = [];
    const found = new Set<QueryTerm>();
    for (const slice of wordSlices(line, READ)) {
      for (const word of slice) words.push(word);
      if ((read += Math.min(1 + line.length, READ)) < READ) continue;
      read = 0;
      await pause();
    }
    for (const [at, word] of words.entries()) {
      const candidates = candidatesFor(word);
      for (const term of candidates) if (goesOn(words, at, term)) found.add(term);
      if ((compared += 1 + candidates.length) < COMPARED) continue;
      compared = 0;
      await pause();
    }
    if (found.size > 0) withAny.push(i + 1);
    if (found.size === terms.length) withAll.push(i + 1);
  }
  if (withAny.length === 0) return 'in no line, but in the name, the summary or across lines';
  if (withAll.length > 0) return listLines(withAll);
  return `${listLines(withAny)}, never all words in one line`;
}

/** Creates the function that returns the terms that may begin with a word, without a look at all of them. */
function createCandidates(terms: readonly QueryTerm[]): (word: string) => readonly QueryTerm[] {
  const [prefixes, others] = [true, false].map((isStart) =>
    Map.groupBy(
      terms.filter(({ words, isPrefix }) => (isPrefix && words.length === 1) === isStart),
      ({ words: [first = ''] }) => first,
    ),
  ) as [Map<string, QueryTerm[]>, Map<string, QueryTerm[]>];
  const lengths = [...new Set(prefixes.keys().map(({ length }) => length))];
  return (word) => {
    const own = others.get(word) ?? NONE;
    if (lengths.length === 0) return own;
    return [...own, ...lengths.flatMap((length) => prefixes.get(word.slice(0, length)) ?? NONE)];
  };
}

const NONE: readonly QueryTerm[] = [];

/** Returns whether a term is at a place, whose first word is known to fit. */
function goesOn(words: readonly string[], at: number, { words: wanted, isPrefix }: QueryTerm) {
  return wanted.every((word, i) => {
    const said = words[at + i];
    return isPrefix && i === wanted.length - 1 ? said?.startsWith(word) : said === word;
  });
}

function listLines(lines: readonly number[]): string {
  const listed = lines.slice(0, MAX_LISTED).map((line) => `L${line}`);
  const rest = lines.length > MAX_LISTED ? ', …' : '';
  return `in ${lines.length} ${lines.length === 1 ? 'line' : 'lines'} (${listed.join(', ')}${rest})`;
}
