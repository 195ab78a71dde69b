// Search queries: what a ranked search looks for, read from the text that a person or an agent has written.

import { languageOf, type Language } from './question/languages.ts';
import { hasLimits, isPlain, readOperators } from './question/operators.ts';
import { hasHangul, particleForms } from './question/particles.ts';
import { asksWhen, timeWords } from './question/when.ts';
import type { QueryTerm } from './search-query.ts';
import { formsOf, otherNumber } from './stems.ts';
import { asksForAny, isContraction, isFrameWord, isStopWord } from './stop-words.ts';
import { unspacedWord, wordsOf } from './tokenizer.ts';

/** Words in sequence. A memory matches a term if it has any of the term's sequences. */
export type Sequence = readonly string[];

/** A term of a query: its memories get a better rank, but others are found as well. */
export interface SearchTerm {
  /** The folded word as it was written. */
  readonly word: string;
  /** The exact form, which scores higher than the others. */
  readonly exact: readonly Sequence[];
  /** Other forms of the word: by its stem, or joined. */
  readonly forms: readonly Sequence[];
  /** Its parts, if texts write it as two words. They are looked up only if the word is rare. */
  readonly splits: readonly Sequence[];
  /** What other words begin with that are found as well, behind the word itself. Undefined: it is typed to its end. */
  readonly begins?: Sequence | undefined;
  /** Whether it is worth a hint if it is absent. A compound is not: its parts are terms as well. */
  readonly isWord: boolean;
}

/** A query: phrases and prefixes that must occur, and words of which some should. */
export interface RankedQuery {
  /** Of each group, one must occur. */
  readonly required: readonly (readonly QueryTerm[])[];
  readonly terms: readonly SearchTerm[];
  /** Three words in a row, as they were written. A passage that has them with a term ranks higher. */
  readonly runs: readonly Sequence[];
  /** All its words as they were written, if they are few: the query may be the name of a memory. Otherwise none. */
  readonly row: Sequence;
  /** Whether it is a few words of which each is meant: "fridge budget receipt". A question has words that are not. */
  readonly isKeywords: boolean;
  /** What no passage has. */
  readonly excluded: readonly QueryTerm[];
  /** The name that labels the lines in which words count. */
  readonly speaker: Sequence | undefined;
  /** Words that name dates: a hint that they are absent would mislead. */
  readonly dates: ReadonlySet<string>;
  /** Whether it asks for all talks of a time: "meetings last week". A date alone is a word. */
  readonly isOnlyTime: boolean;
  /** Whether it has limits, and besides them only what no passage has: "tag:work after:2026 -fridge". */
  readonly isOnlyLimits: boolean;
  /** Whether it asks when something was. */
  readonly asksWhen: boolean;
  /** The language of its words. Undefined: English, or too few of its words tell. */
  readonly language: Language | undefined;
}

/** The most terms that are looked up. Of more, the longest are. */
export const MAX_TERMS = 48;

/** The most words of a query that may be the name of a memory, or of which each is meant. */
const MAX_ROW = 6;

/** Reads a query. No text is a mistake; one without any word has no terms. */
export function readRankedQuery(q: string): RankedQuery {
  const operators = readOperators(q);
  const { loose, required: groups, excluded, speaker } = operators;
  const required = unique(groups);
  const terms = new Map<string, SearchTerm>();
  const found = loose.flatMap(termsOfPiece);
  for (const term of hasHangul(q) ? found.map(withParticles) : found) {
    const known = terms.get(term.word);
    if (known === undefined || (term.isWord && !known.isWord)) terms.set(term.word, term);
  }
  const all = [...terms.values()];
  const asked = loose.flatMap(wordsOf);
  const { language, common } = languageOf(asked, isStopWord);
  const { words: dates, relative } = timeWords(loose.join(' '));
  const isCommon = (word: string) => isStopWord(word) || common.has(word);
  const words = all.filter(({ word }) => !isEvery(word, isCommon));
  const timeless = words.filter(({ word }) => !isEvery(word, (each) => relative.has(each)));
  const topics = timeless.filter(({ word }) => !isEvery(word, isFrameWord));
  // A stop word beside a phrase or a prefix adds nothing either.
  const without = required.length > 0 ? [] : all;
  const kept = [topics, timeless, words].find(({ length }) => length > 0) ?? without;
  const others = asked.filter((word) => !dates.has(word));
  const isOnlyTime =
    dates.size > 0 &&
    others.length > 0 &&
    others.every((word) => asksForAny(word) || common.has(word)) &&
    isPlain({ required, excluded, speaker });
  const hasNothing = required.length === 0 && kept.length === 0;
  return {
    // Without words, every line of the speaker is found by its label.
    required: hasNothing && speaker !== undefined ? [[nameTerm(speaker)]] : required,
    terms: longest(kept),
    runs: runsOf(asked),
    row: asked.length > MAX_ROW ? [] : asked,
    isKeywords:
      loose.length <= MAX_ROW &&
      !loose.some((piece) => isEvery(wordsOf(piece).join(' '), isCommon)),
    excluded,
    speaker,
    dates,
    isOnlyTime,
    isOnlyLimits:
      asked.length === 0 && isPlain({ ...operators, excluded: [] }) && hasLimits(operators),
    asksWhen: asksWhen(asked),
    language,
  };
}

/** Returns whether a term, or every part of a compound, is such a word. */
function isEvery(term: string, isSuch: (word: string) => boolean): boolean {
  return term.split(' ').every(isSuch);
}

function unique(groups: readonly (readonly QueryTerm[])[]): (readonly QueryTerm[])[] {
  return [...new Map(groups.map((group) => [JSON.stringify(group), group])).values()];
}

/** How many words a run has. Two stand in a row by chance too often in long meetings. */
const RUN = 3;

function runsOf(words: readonly string[]): Sequence[] {
  const runs = words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN));
  return [...new Map(runs.map((run) => [run.join(' '), run])).values()];
}

/** Returns the term that memories with a speaker have. */
export function nameTerm(speaker: Sequence): QueryTerm {
  return { words: speaker, isPrefix: false };
}

function longest(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  const chosen = new Set(
    terms.toSorted((a, b) => b.word.length - a.word.length).slice(0, MAX_TERMS),
  );
  return terms.filter((term) => chosen.has(term));
}

/** Ends a piece whose last word may be half typed. Three dots do not: people and agents end sentences with them. */
const OPEN = '…';

function termsOfPiece(piece: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let run: string[] = [];
  const words = wordsOf(piece);
  for (const [i, word] of words.entries()) {
    const isUnspaced = unspacedWord().test(word);
    run.push(word);
    const next = words[i + 1];
    if (next !== undefined && unspacedWord().test(next) === isUnspaced) continue;
    const [whole, ...parts] = isUnspaced ? unspacedTerms(run) : spacedTerms(run);
    const begins = next === undefined && !isUnspaced && piece.endsWith(OPEN) ? run : undefined;
    if (whole !== undefined) terms.push({ ...whole, begins }, ...parts);
    run = [];
  }
  return terms;
}

/** Scripts without spaces match by character sequence: pairs, as no dictionary tells where a word ends. */
function unspacedTerms(run: readonly string[]): SearchTerm[] {
  const pairs = run.slice(1).map((word, i) => [run[i] as string, word]);
  return (pairs.length === 0 ? [run] : pairs).map((sequence) => ({
    word: sequence.join(''),
    exact: [sequence],
    forms: [],
    splits: [],
    isWord: true,
  }));
}

/** The words of a piece, and the piece as a compound: stand-up, didn't, e-mail, 2.8.3. */
function spacedTerms(run: readonly string[]): SearchTerm[] {
  if (run.length === 1) return run.map(termOfWord).map(withOtherNumber);
  const last = run.at(-1) as string;
  const uncontracted = run.length === 2 && isContraction(last) ? run.slice(0, -1) : run;
  const long = uncontracted.filter((word) => word.length > 1);
  const parts = long.length === 0 ? uncontracted : long; // of e-mail, "e" says nothing
  const joined = run.join('');
  const compound: SearchTerm = {
    word: run.join(' '),
    exact: [run],
    forms: formsOf(joined).map((form) => [form]),
    splits: [],
    isWord: false,
  };
  return [withOtherNumber(compound), ...parts.map(termOfWord)];
}

/** Adds the forms that a word has in Korean. */
function withParticles(term: SearchTerm): SearchTerm {
  if (!term.isWord || isStopWord(term.word) || unspacedWord().test(term.word)) return term;
  return { ...term, forms: [...term.forms, ...particleForms(term.word).map((form) => [form])] };
}

/** Adds the other way to write a number: 28, twenty-eight. The parts of a version such as 2.8.3 have none. */
function withOtherNumber(term: SearchTerm): SearchTerm {
  const number = otherNumber(term.word.split(' '));
  return number === undefined ? term : { ...term, forms: [...term.forms, number] };
}

function termOfWord(word: string): SearchTerm {
  return {
    word,
    exact: [[word]],
    forms: isStopWord(word)
      ? []
      : formsOf(word)
          .slice(1)
          .map((form) => [form]),
    splits: splitsOf(word),
    isWord: true,
  };
}

const MIN_SPLIT_LENGTH = 5;
const MAX_SPLIT_LENGTH = 20;

/** The ways in which a joined word may stand as two: standup or standups as "stand up" or stand-up, didnt as didn't. */
function splitsOf(word: string): Sequence[] {
  const isPlural = word.endsWith('s') && !word.endsWith('ss');
  return [word, ...(isPlural ? [word.slice(0, -1)] : [])].flatMap(twoParts);
}

function twoParts(word: string): Sequence[] {
  const { length } = word;
  const isLetters = /^[a-z]+$/.test(word);
  if (!isLetters || length > MAX_SPLIT_LENGTH) return [];
  const splits: Sequence[] = [];
  const last = length < MIN_SPLIT_LENGTH ? 0 : length - 2;
  for (let i = 2; i <= last; i++) splits.push([word.slice(0, i), word.slice(i)]);
  const end = word.slice(-1);
  if (length >= 3 && isContraction(end)) splits.push([word.slice(0, -1), end]);
  if (length === 4 && isContraction(word.slice(2))) splits.push([word.slice(0, 2), word.slice(2)]);
  if (length >= MIN_SPLIT_LENGTH && word.startsWith('e')) {
    const rest = word.slice(1); // emails, for e-mail
    splits.push(['e', rest], ['e', rest.endsWith('s') ? rest.slice(0, -1) : `${rest}s`]);
  }
  return splits;
}
