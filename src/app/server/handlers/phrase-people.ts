// Phrases of a query that name people of the account: after "with", or alone, half typed or misspelt.

import type { Api } from '../../../contract/api.ts';
import type { PersonTotals } from '../../../contract/schemas/facets.ts';
import { editDistance } from '../../../text/edit-distance.ts';
import { isJoint, isSameName } from '../../../text/same-name.ts';
import { isSpeakerLabel, OWNER } from '../../../text/speaker.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import { phrasesOf, type Phrase } from './phrase-runs.ts';

/** A phrase, the query without it, and whom it may name. */
export interface NamePhrase extends Pick<Phrase, 'phrase'> {
  readonly q: string;
  readonly name: string;
}

/** Prepositions before a name. */
const BEFORE_NAMES = new Set('with mit avec con met com'.split(' '));

/** The most names of a query that are looked up, because each look-up reads the people of the account. */
const MOST_NAMES = 25;

/** Finds who is meant by the longest phrase that names somebody: by the whole name or the first words of it. */
export async function findPerson(
  { people }: Pick<Api, 'people'>,
  q: string,
): Promise<NamePhrase | undefined> {
  for (const { phrase, q: rest, name: typed } of namePhrases(q)) {
    const { name, items } = await readNamed(people, typed);
    // The whole name, or else the name of most memories that goes on after it: "with a plan" is not with Annegret.
    const person =
      items.find((each) => isSameName(each.name, name)) ??
      items.find((each) => isSameName(each.name.slice(0, name.length + 1), `${name} `));
    if (person !== undefined) return { phrase, q: rest, name: person.name };
  }
  return undefined;
}

/** Returns the phrases such as "with Henrik" that may name somebody, the longest first. */
export function namePhrases(q: string): NamePhrase[] {
  const all = phrasesOf(q).flatMap(({ phrase, rest }) => {
    const [, first = '', name = ''] = /^(\S+) (.+)$/.exec(phrase) ?? [];
    return BEFORE_NAMES.has(first.toLowerCase()) ? [{ phrase, q: rest, name }] : [];
  });
  return all.slice(0, MOST_NAMES);
}

/** How many letters of a name are too few for it. */
const FEW = 2;

/** A word of fewer letters is near too many names. */
const LONG = 6;

/** The most people whose name a query may be. */
const MOST_NAMED = 3;

/** Reads the people with the most memories. */
type ReadMost = () => ReturnType<Api['people']['page']>;

/** Finds the people whose name a phrase is, or whose names have words that begin as its words do: it may be half typed, or misspelt. */
export async function findNamed(
  { people }: Pick<Api, 'people'>,
  phrase: string,
  readMost: ReadMost,
): Promise<PersonTotals[]> {
  const { name, items } = await readNamed(people, phrase);
  const whole = items.filter((each) => isSameName(each.name, name));
  const isFew = phrase.length <= FEW;
  const begun = [...whole, ...(isFew ? [] : items.filter(isNamedBy(phrase, 0)))];
  const other = isFew || begun.length > 0 ? [] : (await readMost()).items;
  return [...new Set([...begun, ...other.filter(isNamedBy(phrase, 1))])]
    .filter((each) => !isSpeakerLabel(each.name) && (!isJoint(each.name) || whole.includes(each)))
    .slice(0, MOST_NAMED);
}

/** Of more words, a phrase is looked for without reading the people of the account. */
const MOST_OF_NAME = 4;

/** Names of so many letters may have two wrong ones. */
const LONG_NAME = 9;
const MOST_WRONG = 2;

/** Finds the only person whose whole name of several words a phrase is, but for a letter or two. The first letters are right. */
export async function findMeant(
  { people }: Pick<Api, 'people'>,
  phrase: string,
  named: readonly PersonTotals[],
  readMost: ReadMost,
): Promise<PersonTotals | undefined> {
  const words = wordsOf(phrase);
  if (words.length < 2 || words.length > MOST_OF_NAME) return undefined;
  // While a name is typed, nothing is wrong with it.
  if (named.some(isNamedBy(phrase, 0))) return undefined;
  const pages = [readMost(), people.page({ q: words.at(-1), limit: 100 })];
  const all = (await Promise.all(pages)).flatMap(({ items }) => items);
  const near = all
    .filter(({ name, lines }) => lines > 0 && !isSpeakerLabel(name) && !isJoint(name))
    .map((person) => ({ person, wrong: wrongLetters(words, wordsOf(person.name)) }));
  const least = Math.min(MOST_WRONG, ...near.map(({ wrong }) => wrong));
  const [one, ...others] = near.filter(({ wrong }) => wrong === least);
  return others.every(({ person }) => person.name === one?.person.name) ? one?.person : undefined;
}

/** Returns how many letters of the words of a name are wrong, or `Infinity` if it is another one. */
function wrongLetters(words: readonly string[], own: readonly string[]): number {
  const most = own.join('').length < LONG_NAME ? 1 : MOST_WRONG;
  if (words.length !== own.length) return Infinity;
  const wrong = words.reduce((sum, word, at) => {
    const other = own[at] ?? '';
    return sum + (word[0] === other[0] ? editDistance(word, other, most) : Infinity);
  }, 0);
  return wrong > most ? Infinity : wrong;
}

/** Returns what tells whether each word of a phrase begins a word of a name, with some wrong letters in a long one. */
function isNamedBy(phrase: string, wrong: number) {
  const words = phrase.split(' ');
  const isBegun = (own: string, word: string) =>
    isSameName(own.slice(0, word.length), word) ||
    (word.length >= LONG &&
      own[0]?.toLowerCase() === word[0]?.toLowerCase() &&
      [own, own.slice(0, word.length)].some(
        (each) => editDistance(each.toLowerCase(), word.toLowerCase(), wrong) <= wrong,
      ));
  return ({ name }: PersonTotals) => {
    const own = name.split(/\s+/);
    return words.every((word) => own.some((each) => isBegun(each, word)));
  };
}

/** Reads whose names have the first word of a name. */
async function readNamed(people: Api['people'], typed: string) {
  // The app calls an owner whom no product has named "You".
  const name = /^(?:you|me)$/i.test(typed) ? OWNER : typed;
  const [first] = name.split(' ');
  const { items } = await people.page({ q: first, limit: 100 });
  return { name, items };
}
