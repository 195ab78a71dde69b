// Who said what: passages with a line of a speaker, and the words of a query that a speaker never says.

import { MAX_QUERY } from '../../contract/schemas/parameters.ts';
import type { Passage } from '../../contract/schemas/passages.ts';
import { analyse } from '../../text/passages/analysis.ts';
import { createMatcher, type Matcher } from '../../text/passages/matcher.ts';
import { withInflections } from '../../text/question/inflections.ts';
import { readRankedQuery } from '../../text/ranked-query.ts';
import { speakerOf } from '../../text/speaker.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { foldText, wordsOf } from '../../text/tokenizer.ts';
import type { CallContext } from '../tool.ts';
import { readPassages, type Search } from './read-passages.ts';

/** How many words are looked up. */
const MAX_WORDS = 8;

/** The budget of a look-up: all that the API returns at a time. */
const MAX_TOKENS = 20_000;

/** Returns whether a passage has a line of a speaker. Case and accents make no difference. */
export function hasLineOf({ source, text }: Passage, speaker: string): boolean {
  return source === 'transcript' && linesOf(text, speaker).length > 0;
}

/** Returns what a speaker says in a text, without the name before it. */
function linesOf(text: string, speaker: string): string[] {
  const name = foldText(speaker.trim());
  return text.split('\n').flatMap((line) => {
    const label = speakerOf(line);
    return label !== undefined && foldText(label) === name ? [line.slice(label.length + 1)] : [];
  });
}

/**
 * Finds the words of a search that a speaker says in no memory, by a search for each in the lines with this name in
 * their label. A word that is so common in those of others, such as Ann Lee for Ann, that not all are read counts
 * as said.
 */
export async function findUnsaid(
  context: CallContext,
  search: Search,
  speaker: string,
): Promise<string[]> {
  const ofName = new Set(wordsOf(speaker));
  const asked = await withInflections(readRankedQuery(search.q));
  const terms = asked.terms
    .filter(({ word, isWord }) => isWord && !isStopWord(word) && !ofName.has(word))
    .slice(0, MAX_WORDS);
  // If it is not English, the other words of the question tell its language.
  const named = new Set(asked.terms.flatMap(({ word }) => word.split(' ')));
  const isRest = (word: string) => !named.has(word) && !ofName.has(word);
  const rest = asked.language === undefined ? [] : wordsOf(search.q).filter(isRest);
  const label = `speaker:"${speaker.replaceAll('"', ' ')}"`;
  const unsaid: string[] = [];
  for (const term of terms) {
    const matcher = createMatcher({ ...asked, required: [], excluded: [], terms: [term] });
    const isSaid = ({ text }: Passage) =>
      linesOf(text, speaker).some((line) => hasMatch(line, matcher));
    const wanted = { most: 1, max_tokens: MAX_TOKENS, isWanted: isSaid };
    const { word } = term;
    const tries = [`${word} ${rest.join(' ')} ${label}`, `${word} ${label}`];
    const q = tries.find(({ length }) => length <= MAX_QUERY) ?? word;
    const { passages, isWhole } = await readPassages(context, { ...search, q }, wanted);
    if (passages.length === 0 && isWhole) unsaid.push(word);
  }
  return unsaid;
}

/** Returns whether a line has a word or one of its forms. */
function hasMatch(transcript: string, matcher: Matcher): boolean {
  const texts = { name: '', summary: { quick_summary: '', key_takeaways: [] }, transcript };
  const reading = analyse(texts, matcher);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value.hits.length > 0;
  }
}
