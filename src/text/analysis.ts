// Analysis: finds the words of a query in the texts of a memory.

import { foldedReader, type FoldedWords } from './folded.ts';
import { EXCLUDED, type Matcher, type Target } from './matcher.ts';
import { readTokens } from './tokens.ts';
import { SLICE, unitsOf, type SearchedTexts, type Unit } from './units.ts';

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
  readonly wordsBefore: readonly number[];
}

/** The most hits in one memory. More do not change its rank, but take memory. */
const MAX_HITS = 20_000;

/** The most lines of one memory that are read. An hour of speech has about a thousand. */
const MAX_UNITS = 200_000;

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

/**
 * Finds the terms of a query in a memory, whose words may be folded already. Yields now and then, so that the caller
 * can run other requests.
 */
export function* analyse(
  texts: SearchedTexts,
  matcher: Matcher,
  folded?: FoldedWords,
): Generator<undefined, Analysis, unknown> {
  const units: Unit[] = [];
  const wordsBefore: number[] = [0];
  const reader = createReader(matcher);
  const readFolded = folded && foldedReader(folded, matcher.isWanted);
  let slice = 0;
  let text: string | undefined;
  for (const unit of unitsOf(texts)) {
    if (unit.text !== text) reader.startText();
    ({ text } = unit);
    reader.startUnit(units.push(unit) - 1, matcher.counts(unit));
    if (readFolded === undefined)
      readTokens(text.slice(unit.start, unit.end), matcher.wanted, reader.onToken);
    else readFolded(units.length - 1, reader.onToken);
    wordsBefore.push(reader.words());
    slice += unit.end - unit.start + 1;
    if (slice >= SLICE) {
      slice = 0;
      yield;
    }
    if (units.length === MAX_UNITS) break;
  }
  return {
    units,
    hits: reader.hits,
    whenUnits: reader.whenUnits,
    excludedUnits: reader.excludedUnits,
    wordsBefore,
  };
}

/** Creates the reader that turns tokens into hits. */
function createReader(matcher: Matcher) {
  const hits: Hit[] = [];
  const whenUnits = new Set<number>();
  const excludedUnits = new Set<number>();
  let counts = true;
  let begun: Begun[] = [];
  let unit = 0;
  let words = 0;

  return {
    hits,
    whenUnits,
    excludedUnits,
    words: () => words,
    /** Forgets phrases that have begun: none crosses two texts. */
    startText(): void {
      begun = [];
    },
    startUnit(number: number, doesCount: boolean): void {
      unit = number;
      counts = doesCount;
    },
    onToken: (word: string, start: number, end: number): void => {
      const at = words++;
      if (word === '') {
        if (begun.length > 0) begun = [];
        return;
      }
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
