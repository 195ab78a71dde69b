// Hints of a search: words that occur nowhere in the account, and words of the account that are spelled alike.

import { compareText } from '../../../lib/order.ts';
import type { Postings, Sought } from '../../../store/search/postings.ts';
import { editDistance, sharedLetters, toleranceOf } from '../../../text/edit-distance.ts';
import type { RankedQuery } from '../../../text/ranked-query.ts';
import { isStopWord } from '../../../text/stop-words.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { Searched } from './cached-postings.ts';

/** Hints about the words of a query. */
export interface Hints {
  readonly absent_words: string[];
  readonly nearest_words: Record<string, string[]>;
}

interface Looked {
  readonly word: string;
  /** Where it may be: one of these look-ups finds it. */
  readonly sought: readonly Sought[];
}

/** Finds the hints of a query, given how many of the searched memories have each of its terms. */
export function* findHints(
  searched: Searched,
  query: RankedQuery,
  withTerm: readonly number[],
  isWholeAccount: boolean,
): Steps<Hints> {
  const unseen = unseenWords(query, withTerm).filter(({ word }) => !query.dates.has(word));
  const absent_words =
    isWholeAccount && query.required.length === 0
      ? unseen.map(({ word }) => word)
      : yield* wordsOfNoMemory(searched, unseen);
  const near = absent_words.filter(
    (word) => toleranceOf(word) !== undefined && !/^\d+$/.test(word),
  );
  const nearest_words = yield* nearestWords(searched, near.slice(0, MAX_NEAREST));
  return { absent_words, nearest_words };
}

/** Words that no searched memory has. Parts of a compound are there if the compound is: didnt for didn't. */
function unseenWords({ required, terms }: RankedQuery, withTerm: readonly number[]): Looked[] {
  const inCompounds = new Set(
    terms.flatMap(({ word, isWord }, i) =>
      !isWord && (withTerm[i] ?? 0) > 0 ? word.split(' ') : [],
    ),
  );
  const unseen = terms.flatMap(({ word, isWord, exact, forms, splits, begins }, i) => {
    if (!isWord || (withTerm[i] ?? 0) > 0 || inCompounds.has(word)) return [];
    const begun = begins ? [{ all: [{ words: begins, isPrefix: true }] }] : [];
    return [{ word, sought: [{ any: [...exact, ...forms, ...splits] }, ...begun] }];
  });
  const phrased = required
    .flat()
    .flatMap(({ words, isPrefix }) => (isPrefix ? words.slice(0, -1) : words));
  const quoted = phrased
    .filter((word) => !isStopWord(word))
    .map((word) => ({ word, sought: [{ any: [[word]] }] }));
  return [...new Map([...quoted, ...unseen].map((each) => [each.word, each])).values()].slice(
    0,
    MAX_LOOKED,
  );
}

/** The most words that are looked up in the whole account. A look-up takes no more. */
const MAX_LOOKED = 48;

/** Returns the words that no memory of the account has. */
function* wordsOfNoMemory(searched: Searched, unseen: readonly Looked[]): Steps<string[]> {
  const absent: string[] = [];
  for (const { word, sought } of unseen) {
    let isThere = false;
    for (const each of sought) isThere ||= yield* isInAccount(searched, each);
    if (!isThere) absent.push(word);
  }
  return absent;
}

/** Returns whether any memory of the account has what is looked up. */
export function* isInAccount(
  { store, account_id, revision }: Searched,
  sought: Sought,
): Steps<boolean> {
  for (let before: Postings['rest']; ;) {
    const range = { account_id, revision, sought, before };
    const { weeks, rest } = yield* step(store.postings(range));
    if (weeks.length > 0) return true;
    if (rest === undefined) return false;
    before = rest;
  }
}

/** The most absent words for which similar words are looked up, and the most that are returned for each. */
const MAX_NEAREST = 5;
const MAX_SUGGESTED = 3;

/** How many words of the newest weeks are compared, and how many more that begin with the same letter. */
const ALL_WORDS = 10_000;
const SAME_LETTER = 20_000;

/** How many postings are read for either. Where weeks have many memories, they cost more than the words. */
const MOST_POSTINGS = 400_000;

/** Words of the account that are spelled alike. */
type Words = Set<string>;

function* nearestWords(
  searched: Searched,
  absent: readonly string[],
): Steps<Record<string, string[]>> {
  const near = new Map(absent.map((word): [string, Words] => [word, new Set()]));
  if (absent.length === 0) return {};
  const rest = yield* compareWords(searched, '', { near, most: ALL_WORDS });
  for (const [letter, words] of rest === undefined
    ? []
    : Map.groupBy(absent, (word) => Array.from(word)[0] as string)) {
    const some = new Map([...near].filter(([word]) => words.includes(word)));
    yield* compareWords(searched, letter, { near: some, most: SAME_LETTER, before: rest });
  }
  const found: Record<string, string[]> = {};
  for (const [word, words] of near) {
    const shown = yield* firstReadable(searched, ranked(word, words));
    if (shown.length > 0) found[word] = shown;
  }
  return found;
}

/** Returns the first few words. Of words that come from whole weeks, those outside of a caller's window do not count. */
function* firstReadable(searched: Searched, words: readonly string[]): Steps<string[]> {
  if (searched.scope === undefined) return words.slice(0, MAX_SUGGESTED);
  const readable: string[] = [];
  for (const word of words) {
    if (readable.length === MAX_SUGGESTED) break;
    if (yield* isInAccount(searched, { any: [[word]] })) readable.push(word);
  }
  return readable;
}

interface Comparison {
  readonly near: ReadonlyMap<string, Words>;
  readonly most: number;
  readonly before?: Postings['rest'];
}

/**
 * Compares words of the account, the newest weeks first. Returns where it stopped, if there are more: after an exact
 * number of words or postings, however many reads these take, because the time of each is limited.
 */
function* compareWords(
  { store, account_id, revision }: Searched,
  prefix: string,
  { near, most, before: first }: Comparison,
): Steps<Postings['rest']> {
  const compared = new Set<string>();
  for (let [mostWords, mostPostings, before] = [most, MOST_POSTINGS, first]; ;) {
    const range = { account_id, revision, prefix, before, mostWords, mostPostings };
    const { words, postings, rest } = yield* step(store.vocabulary(range));
    const fresh = words.filter((each) => !compared.has(each));
    for (const each of fresh) compared.add(each);
    yield;
    for (const [word, found] of near) {
      const isNear = nearTo(word);
      for (const each of fresh) if (isNear(each)) found.add(each);
      yield;
    }
    mostWords -= words.length;
    mostPostings -= postings;
    if (rest === undefined || mostWords <= 0 || mostPostings <= 0) return rest;
    before = rest;
  }
}

/** Returns whether another word is near. Most are not, as their length or their letters tell: measured, 30 times faster. */
function nearTo(word: string): (other: string) => boolean {
  const most = toleranceOf(word) ?? 0;
  const letters = lettersOf(word);
  return (other) =>
    Math.abs(other.length - word.length) <= most &&
    bitsOf(letters & ~lettersOf(other)) <= most &&
    editDistance(word, other, most) < Infinity;
}

/** The letters of a word as bits. Several letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Returns words by their nearness: the fewest edits first, then those that begin alike for longest, then by spelling. */
function ranked(word: string, found: Words): string[] {
  return Array.from(found, (other) => ({
    other,
    distance: editDistance(word, other, toleranceOf(word) ?? 0),
    shared: sharedLetters(word, other),
  }))
    .toSorted(
      (a, b) => a.distance - b.distance || b.shared - a.shared || compareText(a.other, b.other),
    )
    .map(({ other }) => other);
}
