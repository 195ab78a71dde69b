// Analysis: finds the words of a query in the texts of a memory.

import { tokensOf, type FoldedTexts } from './folded.ts';
import { EXCLUDED, type Matcher, type Target } from './matcher.ts';
import { readTokens } from './tokens.ts';
import { readUnits, type SearchedTexts, type Unit } from './units.ts';

/** A matched term. */
export interface Hit {
  /** The number of the term. Required terms come first. */
  readonly term: number;
  readonly isExact: boolean;
  /** The units of its first and last word. */
  readonly first: number;
  readonly last: number;
  /** The number of its first word in the memory. */
  readonly at: number;
  /** Where its words stand: unit, start and end, three numbers for each word. */
  readonly marks: readonly number[];
}

/** What a query finds in a memory. */
export interface Analysis {
  readonly units: readonly Unit[];
  readonly hits: readonly Hit[];
  /** The units with a word that says when something was, if the query asks for it. */
  readonly whenUnits: ReadonlySet<number>;
  /** The units that no passage may have. */
  readonly excludedUnits: ReadonlySet<number>;
  /** How many words precede each unit. It has one entry more than there are units. */
  readonly wordsBefore: ArrayLike<number>;
}

/** The most hits in one memory. More do not change its rank, but take memory. */
const MAX_HITS = 20_000;

/** A sequence that has begun, and how many of its words have been found. */
interface Begun {
  readonly target: Target;
  readonly count: number;
  readonly first: number;
  readonly at: number;
  readonly marks: Marks;
}

/** The marks so far. A list of arrays would be copied for each word of a long phrase. */
interface Marks {
  readonly mark: readonly number[];
  readonly before: Marks | undefined;
}

function flatten(marks: Marks): number[] {
  const all: (readonly number[])[] = [];
  for (let each: Marks | undefined = marks; each !== undefined; each = each.before)
    all.push(each.mark);
  return all.toReversed().flat();
}

/** Finds the terms of a query in texts. Yields now and then, so that the caller can run other requests. */
export function* analyse(
  texts: SearchedTexts,
  matcher: Matcher,
): Generator<undefined, Analysis, unknown> {
  const reader = createReader(matcher);
  const wordsBefore = [0];
  let words = 0;
  const units = yield* readUnits(texts, (unit, number) => {
    reader.startUnit(unit, number);
    readTokens(unit.text.slice(unit.start, unit.end), matcher.wanted, (word, start, end) => {
      const at = words++;
      if (word !== '') reader.onToken(word, at, start, end);
    });
    wordsBefore.push(words);
  });
  return { ...reader.found, units, wordsBefore };
}

/** Finds the same in texts that were folded: only the words of the query are looked at. */
export function analyseFolded(folded: FoldedTexts, matcher: Matcher): Analysis {
  const { units, wordsBefore } = folded;
  const reader = createReader(matcher);
  let number = -1;
  for (const { word, at, start, end } of tokensOf(folded, matcher)) {
    while ((wordsBefore[number + 1] ?? Infinity) <= at)
      reader.startUnit(units[++number] as Unit, number);
    reader.onToken(word, at, start, end);
  }
  return { ...reader.found, units, wordsBefore };
}

/** Creates the reader that turns tokens into hits. It may skip tokens that are no words of the query. */
function createReader(matcher: Matcher) {
  const hits: Hit[] = [];
  const whenUnits = new Set<number>();
  const excludedUnits = new Set<number>();
  let counts = true;
  let begun: Begun[] = [];
  let last = 0;
  let unit = 0;

  return {
    found: { hits, whenUnits, excludedUnits },
    startUnit(started: Unit, number: number): void {
      unit = number;
      counts = matcher.counts(started);
      // No phrase crosses two texts.
      if (started.start === 0) begun = [];
    },
    onToken(word: string, at: number, start: number, end: number): void {
      if (at !== last + 1) begun = [];
      last = at;
      if (matcher.tellsWhen(word)) whenUnits.add(unit);
      const targets = matcher.find(word);
      if (begun.length === 0 && targets.length === 0) return;
      const mark = [unit, start, end];
      const before = begun;
      begun = [];
      for (const one of before) takeStep(one, word, mark);
      for (const target of targets) {
        const { term, isExact } = target;
        if (target.words.length === 1)
          addHit({ term, isExact, first: unit, last: unit, at, marks: mark });
        else begun.push({ target, count: 1, first: unit, at, marks: { mark, before: undefined } });
      }
    },
  };

  /** Takes a sequence one word further, if the word continues it. */
  function takeStep(
    { target, count, first, at, marks }: Begun,
    word: string,
    mark: number[],
  ): void {
    const { term, isExact } = target;
    const isLast = count === target.words.length - 1;
    const wanted = target.words[count] as string;
    if (isLast && target.isPrefix ? !word.startsWith(wanted) : word !== wanted) return;
    const all = { mark, before: marks };
    if (isLast) addHit({ term, isExact, first, last: unit, at, marks: flatten(all) });
    else begun.push({ target, count: count + 1, first, at, marks: all });
  }

  function addHit(hit: Hit): void {
    if (hit.term === EXCLUDED) {
      for (let each = hit.first; each <= hit.last; each++) excludedUnits.add(each);
      return;
    }
    if (!counts) return;
    if (hits.length < MAX_HITS) hits.push(hit);
  }
}
