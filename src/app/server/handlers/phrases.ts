// The handler of phrases of a query that say when, or with whom: they can become limits of the search instead of words of it.

import type * as v from 'valibot';

import type { Api } from '../../../contract/api.ts';
import type { PersonTotals } from '../../../contract/schemas/facets.ts';
import { dayReader } from '../../../lib/timezone.ts';
import { editDistance } from '../../../text/edit-distance.ts';
import { MONTHS } from '../../../text/question/calendar-words.ts';
import { daysAgo } from '../../../text/question/days.ts';
import { readTime } from '../../../text/question/when.ts';
import { isJoint, isSameName } from '../../../text/same-name.ts';
import { isSpeakerLabel, OWNER } from '../../../text/speaker.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import type { appRoutes } from '../../contract/app-routes.ts';
import type { GroupOf } from '../call.ts';

/** A phrase of a query, and the query without it. */
interface Phrase {
  readonly phrase: string;
  readonly rest: string;
}

/** A phrase, the query without it, and its days from the first to the last, such as `2026-11-18`. */
export interface DaysPhrase extends Pick<Phrase, 'phrase'> {
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

/** A phrase, the query without it, and whom it may name. */
export interface NamePhrase extends Pick<Phrase, 'phrase'> {
  readonly q: string;
  readonly name: string;
}

/** What can be before a date, in the languages that dates are understood in. */
const BEFORE_DATES = new Set('in on during the am im den en el le il nel op de em no'.split(' '));

/** Prepositions before a name. */
const BEFORE_NAMES = new Set('with mit avec con met com'.split(' '));

/** The most words of a date: on the 12th of November 2026. */
const MOST_WORDS = 6;

/** The most names of a query that are looked up, because each look-up reads the people of the account. */
const MOST_NAMES = 25;

/** The handler. The pages would need the words of all languages for it, and the tokenizer. */
export const phraseHandlers: GroupOf<'phrases'> = {
  async find({ app, reader, input: { q, timezone, week_start } }) {
    const dayOf = await dayReader(timezone);
    const today = dayOf(new Date(app.gateway.now()).toISOString());
    const api = app.gateway.as(reader.account_id);
    const said = daysPhrase(q, today, week_start);
    const days = said && { from: said.from, to: said.to, q: withoutPhrase(q, said.phrase) };
    const people: NamedPerson[] = [];
    let rest = said?.q ?? q;
    while (people.length < MOST_PEOPLE) {
      const person = await findPerson(api, rest);
      if (person === undefined) break;
      people.push({ name: person.name, q: withoutPhrase(q, person.phrase) });
      rest = person.q;
    }
    const named = days || people.length > 0 ? [] : await findNamed(api, q);
    const last = q.split(/\s/).at(-1) ?? '';
    // Words before a phrase are typed to their end.
    const isOpen = rest === q || rest === '' || (last !== '' && rest.endsWith(last));
    const words = nameIn(q, named) ?? (isOpen ? rest : `${rest} `);
    return { output: { days: days ?? null, people, named, rest: words } };
  },
};

/** Who is named by a phrase, and the query without it. */
type NamedPerson = v.InferOutput<typeof appRoutes.phrases.find.output>['people'][number];

/** The most people of a query that it is limited to. */
const MOST_PEOPLE = 4;

/** Returns a query without the words of a phrase. Of those that it has several times, the last ones go. */
function withoutPhrase(q: string, phrase: string): string {
  const left = phrase.split(' ');
  const kept = q
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .toReversed()
    .filter((piece) => piece !== left.at(-1) || left.pop() === undefined);
  return kept.toReversed().join(' ');
}

/** Returns the phrase that a query of several words is if it is the whole name of somebody who speaks. Other lines have one of the words. */
function nameIn(q: string, named: readonly PersonTotals[]): string | undefined {
  const name = phrasesOf(q)[0]?.phrase ?? '';
  const isName = named.some((each) => each.lines > 0 && isSameName(each.name, name));
  return isName && wordsOf(name).length > 1 ? `"${name}"` : undefined;
}

/** Finds who is meant by the longest phrase that names somebody: by the whole name or the first words of it. */
async function findPerson(
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

/** How many letters of a name are too few for it. */
const FEW = 2;

/** A word of fewer letters is near too many names. */
const LONG = 6;

/** The most people whose name a query may be. */
const MOST_NAMED = 3;

/** Finds the people whose name a query is, or whose names have words that begin as its words do: it may be half typed, or misspelt. */
async function findNamed({ people }: Pick<Api, 'people'>, q: string): Promise<PersonTotals[]> {
  const [all] = phrasesOf(q);
  if (all?.rest !== '') return [];
  const { name, items } = await readNamed(people, all.phrase);
  const whole = items.filter((each) => isSameName(each.name, name));
  const isFew = all.phrase.length <= FEW;
  const begun = [...whole, ...(isFew ? [] : items.filter(isNamedBy(all.phrase, 0)))];
  // Those with the most memories.
  const other = isFew || begun.length > 0 ? [] : (await people.page({ limit: 100 })).items;
  return [...new Set([...begun, ...other.filter(isNamedBy(all.phrase, 1))])]
    .filter((each) => !isSpeakerLabel(each.name) && (!isJoint(each.name) || whole.includes(each)))
    .slice(0, MOST_NAMED);
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

/** Returns the longest phrase that names days up to today. Undefined: there is none. Weeks begin on Monday, or on another day from 1 to 7. */
export function daysPhrase(q: string, today: string, weekStart?: number): DaysPhrase | undefined {
  for (const { phrase, rest } of phrasesOf(q)) {
    const days = daysOf(phrase, today, weekStart);
    if (days !== undefined) return { ...days, phrase, q: rest };
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

/** Returns all runs of words outside of quotes, the longest first. */
function phrasesOf(q: string): Phrase[] {
  const pieces = q.split(/\s+/).filter((piece) => piece !== '');
  let quotes = 0;
  const isWord = pieces.map((piece) => {
    const own = piece.split('"').length - 1;
    const isOutside = own === 0 && quotes % 2 === 0;
    quotes += own;
    return isOutside;
  });
  const found: Phrase[] = [];
  for (let length = Math.min(MOST_WORDS, pieces.length); length > 0; length--)
    for (let at = 0; at + length <= pieces.length; at++)
      if (isWord.slice(at, at + length).every(Boolean))
        found.push({
          phrase: pieces.slice(at, at + length).join(' '),
          rest: [...pieces.slice(0, at), ...pieces.slice(at + length)].join(' '),
        });
  return found;
}

/** Returns the days of a phrase if it says nothing else. */
function daysOf(
  phrase: string,
  today: string,
  weekStart?: number,
): Pick<DaysPhrase, 'from' | 'to'> | undefined {
  const words = wordsOf(phrase);
  const first = words.findIndex((word) => !BEFORE_DATES.has(word));
  if (first === -1) return undefined;
  const date = words.slice(first).join(' ');
  // June is a name as well, but not after "in".
  const year = Number(today.slice(0, 4));
  const texts = first > 0 && MONTHS.has(date) ? [`${date} ${year}`, `${date} ${year - 1}`] : [date];
  for (const text of texts) {
    const { spans, words: named } = readTime(text, today, weekStart);
    const span = spans.find(({ from }) => from <= today);
    if (span !== undefined && wordsOf(text).every((word) => named.has(word)))
      return { from: span.from, to: daysAgo(span.before, 1) };
  }
  return undefined;
}
