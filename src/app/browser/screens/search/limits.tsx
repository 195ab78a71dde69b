// The limits of a search: chips that take one away, and phrases of the query that can become limits.

import { Chips, type Chip } from '../../parts/lists/chips.tsx';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { namePhrases, timePhrase, type NamePhrase } from '../../state/search/phrases.ts';
import { searchPath } from '../../state/search/search-request.ts';
import { api } from '../../state/session.ts';
import { dates, today } from '../../time-formats.ts';

/** What the address limits the search to. */
export function Limits() {
  const { query } = place.value;
  const asked = new URLSearchParams(query);
  const [from = '', to = ''] = ['from', 'to'].map((name) => asked.get(name) ?? '');
  const without = (...names: readonly string[]) =>
    searchPath(query, Object.fromEntries(names.map((name) => [name, ''])));
  const chips: Chip[] = [];
  if (from !== '' && from === to)
    chips.push({ label: 'on', text: dayText(from), to: without('from', 'to') });
  else
    for (const [label, day] of Object.entries({ from, to }))
      if (day !== '') chips.push({ label, text: dayText(day), to: without(label) });
  const people = asked.getAll('person');
  for (const name of people) {
    const person = people.filter((each) => each !== name);
    chips.push({ label: 'with', text: name, to: searchPath(query, { person }) });
  }
  for (const label of ['tag', 'source', 'state']) {
    const text = asked.get(label) ?? '';
    if (text !== '') chips.push({ label, text, to: without(label) });
  }
  return <Chips chips={chips} />;
}

function dayText(day: string): string {
  return Number.isNaN(Date.parse(day)) ? day : dates.value.date(day);
}

/** The phrases that can be limits. */
export interface Suggestions {
  readonly suggestions: readonly Chip[];
  /** Whether no more will come. */
  readonly isReady: boolean;
}

/** Finds phrases of the query that can be limits: days at once, people as soon as the gateway knows them. */
export function useSuggestions(q: string): Suggestions {
  const { query } = place.value;
  const names = namePhrases(q);
  const { data: person, failure } = useResource(`names ${JSON.stringify(names)}`, () =>
    findPerson(names),
  );
  const time = timePhrase(q, today());
  const found: Chip[] = [];
  if (time !== undefined) {
    const { from, to, rest } = time;
    const [first, last] = [dayText(from), dayText(to)];
    found.push({
      label: from === to ? 'on' : 'from',
      text: from === to ? first : `${first} to ${last}`,
      to: searchPath(query, { q: rest, from, to }),
    });
  }
  if (person) {
    const { name, rest } = person;
    const all = [...new URLSearchParams(query).getAll('person'), name];
    found.push({ label: 'with', text: name, to: searchPath(query, { q: rest, person: all }) });
  }
  return { suggestions: found, isReady: person !== undefined || failure !== undefined };
}

/** Finds who is meant by the longest phrase that names somebody: by the whole name or the first words of it. Null: nobody. */
async function findPerson(phrases: readonly NamePhrase[]): Promise<NamePhrase | null> {
  const { compare } = new Intl.Collator(undefined, { sensitivity: 'base' });
  for (const phrase of phrases) {
    const { items } = await api.people.page({ q: phrase.name, limit: 100 });
    const isWhole = ({ name }: { readonly name: string }) => compare(name, phrase.name) === 0;
    const person =
      items.find(isWhole) ??
      items.find(({ name }) => isWhole({ name: name.slice(0, phrase.name.length) }));
    if (person !== undefined) return { ...phrase, name: person.name };
  }
  return null;
}
