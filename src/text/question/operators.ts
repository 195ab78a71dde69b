// Operators of a search: -word, OR, "a phrase", prefix*, speaker:, tag:, source:, before: and after:. What is not understood is a word.

import { readQuery, SPACE, type QueryTerm } from '../search-query.ts';
import { wordsOf } from '../tokenizer.ts';

/** A query by its operators. */
export interface Operators {
  /** The pieces without an operator. */
  readonly loose: readonly string[];
  /** Phrases and prefixes. Of each group, one must occur. */
  readonly required: readonly (readonly QueryTerm[])[];
  /** What no passage has. */
  readonly excluded: readonly QueryTerm[];
  /** The words of the name that labels the lines. */
  readonly speaker: readonly string[] | undefined;
  /** The tags and the products that memories must have, by their names. */
  readonly tags: readonly string[];
  readonly sources: readonly string[];
  /** Dates as `YYYY-MM-DD`: memories start on the first one or later, and before the second. */
  readonly after: string | undefined;
  readonly before: string | undefined;
}

/** Returns whether a query says nothing about what passages must have, must not have, or who must say them. */
export function isPlain({
  required,
  excluded,
  speaker,
}: Pick<Operators, 'required' | 'excluded' | 'speaker'>): boolean {
  return required.length + excluded.length === 0 && speaker === undefined;
}

/** Returns whether a query limits which memories are searched. */
export function hasLimits({ tags, sources, after, before }: Operators): boolean {
  return tags.length + sources.length > 0 || after !== undefined || before !== undefined;
}

/** What an operator with a value changes. Returns undefined if it does not understand the value. */
type ReadValue = (value: string) => Partial<Operators> | undefined;

/** The operators with a value, by their names. */
const VALUES: Readonly<Record<string, ReadValue>> = {
  speaker: (value) => {
    const speaker = wordsOf(value);
    return speaker.length === 0 ? undefined : { speaker };
  },
  tag: (value) => (isBlank(value) ? undefined : { tags: [value] }),
  source: (value) => (isBlank(value) ? undefined : { sources: [value] }),
  after: (value) => ifDefined(startOf(value), (after) => ({ after })),
  before: (value) => ifDefined(startOf(value), (before) => ({ before })),
};

/** A piece of a query: a phrase in quotes or a run without spaces, perhaps behind a minus or the name of an operator. */
const PIECE = new RegExp(
  `((?<![^\\s])-)?(?:(${Object.keys(VALUES).join('|')}):)?(?:"([^"]*)"|([^"\\s]+))`,
  'giu',
);

/** Reads the operators of a query. No text is a mistake. */
export function readOperators(q: string): Operators {
  const loose: string[] = [];
  const required: QueryTerm[][] = [];
  const excluded: QueryTerm[] = [];
  const values: Partial<Operators>[] = [];
  let group: Alternative[] = [];
  const pieces = piecesOf(q);
  for (const [i, { minus, name, phrase, text, whole }] of pieces.entries()) {
    const isOr = (at: number) => pieces[at]?.whole === 'OR' && at > 0 && at < pieces.length - 1;
    if (isOr(i)) continue;
    const value = name === undefined ? undefined : VALUES[name.toLowerCase()]?.(text);
    const terms = phrase ? readQuery(`"${text}"`) : readQuery(text);
    if (value !== undefined && minus === undefined) values.push(value);
    else if (minus !== undefined && name === undefined && terms.length > 0) excluded.push(...terms);
    else {
      const isLoose = name !== undefined || !(phrase || terms.some(({ isPrefix }) => isPrefix));
      group.push({ terms: isLoose ? readQuery(whole) : terms, loose: isLoose ? whole : undefined });
    }
    if (!isOr(i + 1)) endGroup();
  }
  // A query that only excludes has nothing to find.
  const isOnlyExcluded = loose.length === 0 && required.length === 0 && values.length === 0;
  return {
    loose: isOnlyExcluded ? pieces.map(({ whole }) => whole) : loose,
    required,
    excluded: isOnlyExcluded ? [] : excluded,
    speaker: undefined,
    after: undefined,
    before: undefined,
    ...Object.assign({}, ...values),
    tags: values.flatMap(({ tags = [] }) => tags),
    sources: values.flatMap(({ sources = [] }) => sources),
  };

  /** Alternatives that are all words stay words, because these are alternatives anyway. */
  function endGroup(): void {
    const words = group.flatMap(({ loose: word }) => word ?? []);
    if (words.length === group.length) loose.push(...words);
    else {
      const terms = group.flatMap((each) => each.terms);
      if (terms.length > 0) required.push(terms);
    }
    group = [];
  }
}

/** One side of an OR, or a piece alone. */
interface Alternative {
  readonly terms: readonly QueryTerm[];
  /** The piece, if it is no phrase and no prefix. */
  readonly loose: string | undefined;
}

interface Piece {
  readonly minus: string | undefined;
  readonly name: string | undefined;
  readonly phrase: boolean;
  readonly text: string;
  readonly whole: string;
}

function piecesOf(q: string): Piece[] {
  return Array.from(q.matchAll(PIECE)).flatMap(
    ([whole, minus, name, phrase, word = '']): Piece[] => {
      if (phrase !== undefined) return [{ minus, name, phrase: true, text: phrase, whole }];
      const parts = whole.split(SPACE).filter((part) => part !== '');
      if (parts.length < 2) return [{ minus, name, phrase: false, text: word, whole }];
      const plain = { minus: undefined, name: undefined, phrase: false };
      return parts.map((part) => ({ ...plain, text: part, whole: part }));
    },
  );
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

/** Returns the first day of a year, a month or a day. Undefined: there is no such day. */
function startOf(value: string): string | undefined {
  if (!/^\d{4}(-\d\d){0,2}$/.test(value)) return undefined;
  const day = `${value}-01-01`.slice(0, 'YYYY-MM-DD'.length);
  const ms = Date.parse(day);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, day.length) !== day
    ? undefined
    : day;
}

function ifDefined<T, R>(value: T | undefined, then: (value: T) => R): R | undefined {
  return value === undefined ? undefined : then(value);
}
