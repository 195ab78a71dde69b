// Matcher: what a query looks for in texts, prepared once for all of them.

import { TELLS_WHEN } from '../question/calendar-words.ts';
import type { RankedQuery, Sequence } from '../ranked-query.ts';
import { addWanted, wantNothing, type WantedWords } from './tokens.ts';
import { linesOf, type Unit } from './units.ts';

/** What a word can begin: a word or a sequence of a term. */
export interface Target {
  /** The number of its term, or `EXCLUDED`. */
  readonly term: number;
  readonly words: Sequence;
  readonly isExact: boolean;
  readonly isPrefix: boolean;
}

/** The number of what no passage has. */
export const EXCLUDED = -1;

/** Words in a row, and the numbers of the terms among them: one at least. */
export interface Run {
  readonly words: Sequence;
  readonly terms: readonly number[];
}

/** What to look for, prepared once per query. */
export interface Matcher {
  /** How many terms there are, and how many of them are required. */
  readonly terms: number;
  readonly required: number;
  /** What raises a passage that has it. */
  readonly runs: readonly Run[];
  /** Whether words of a line count: those of other speakers than the wanted one do not. */
  readonly counts: (unit: Unit) => boolean;
  /** The words of all targets: whole ones, what others begin with, and both as `readTokens` takes them. */
  readonly words: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly wanted: WantedWords;
  /** The targets whose first word a word can be. */
  readonly find: (word: string) => readonly Target[];
  /** Whether a word says when something was, if the query asks for it. */
  readonly tellsWhen: (word: string) => boolean;
  /** What a match of each term counts, as a share of its rarity. */
  readonly shares: readonly number[];
  /** The terms whose word may be half typed. */
  readonly halfTyped: ReadonlySet<number>;
  /** Whether the query is a few words of which each is meant. */
  readonly isKeywords: boolean;
}

const NO_TARGETS: readonly Target[] = [];
/** How many words are remembered with their targets. */
const MAX_KNOWN_WORDS = 50_000;

/** Prepares a query for `analyse`. */
export function createMatcher(query: RankedQuery): Matcher {
  const { required, terms, excluded, speaker, asksWhen, isKeywords } = query;
  const targets: Target[] = [
    ...[excluded, ...required].flatMap((group, i) =>
      group.map(({ words, isPrefix }) => ({ term: i - 1, words, isPrefix, isExact: true })),
    ),
    ...terms.flatMap(({ exact, forms, splits, begins }, i) => {
      const term = required.length + i;
      const target = (isExact: boolean, isPrefix: boolean) => (words: Sequence) => ({
        term,
        words,
        isExact,
        isPrefix,
      });
      return [
        ...exact.map(target(true, false)),
        ...[...forms, ...splits].map(target(false, false)),
        ...(begins ? [begins] : []).map(target(false, true)),
      ];
    }),
  ];
  const wanted = wantNothing();
  const allWords = new Set<string>(asksWhen ? TELLS_WHEN : []);
  const beginnings: string[] = [];
  for (const { words, isPrefix } of targets)
    for (const [i, word] of words.entries())
      if (isPrefix && i === words.length - 1) beginnings.push(word);
      else allWords.add(word);
  for (const word of allWords) addWanted(wanted, word, false);
  for (const word of beginnings) addWanted(wanted, word, true);
  const tellsWhen = (word: string) => asksWhen && TELLS_WHEN.has(word);
  const byFirst = new Map<string, Target[]>();
  const prefixes = targets.filter(({ isPrefix, words }) => isPrefix && words.length === 1);
  for (const target of targets) {
    if (prefixes.includes(target)) continue;
    const first = target.words[0] as string;
    byFirst.set(first, [...(byFirst.get(first) ?? []), target]);
  }
  const known = new Map<string, readonly Target[]>();
  const find = (word: string): readonly Target[] => {
    const found = byFirst.get(word);
    if (prefixes.length === 0) return found ?? NO_TARGETS;
    const again = known.get(word);
    if (again !== undefined) return again;
    // A word that is half typed begins with itself as well, which counts once.
    const begun = prefixes.filter(
      ({ term, words: [prefix = ''] }) =>
        word.startsWith(prefix) && found?.some((each) => each.term === term) !== true,
    );
    const all = begun.length === 0 ? (found ?? NO_TARGETS) : [...(found ?? []), ...begun];
    if (known.size >= MAX_KNOWN_WORDS) known.clear();
    known.set(word, all);
    return all;
  };
  const numberOf = new Map(terms.map(({ word }, i) => [word, required.length + i]));
  const runs = query.runs.flatMap((words) => {
    const of = words.flatMap((word) => numberOf.get(word) ?? []);
    return of.length === 0 ? [] : [{ words, terms: of }];
  });
  // The parts of a compound count as well.
  const shares = [...required.map(() => 1), ...terms.map(({ isWord }) => (isWord ? 1 : 0.5))];
  return {
    terms: shares.length,
    required: required.length,
    runs,
    counts: linesOf(speaker),
    words: allWords,
    prefixes: beginnings,
    wanted,
    find,
    tellsWhen,
    shares,
    halfTyped: new Set(terms.flatMap(({ begins }, i) => (begins ? [required.length + i] : []))),
    isKeywords,
  };
}
