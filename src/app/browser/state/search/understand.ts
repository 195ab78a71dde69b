// What the words of a search name: days and people, which limit it instead of being looked for.

import { weekStart } from '../../time-formats.ts';
import { zone } from '../reading.ts';
import { app } from '../session.ts';
import { pathWith } from './search-path.ts';

/** What a query names, as the gateway finds it. */
export type Phrases = Awaited<ReturnType<typeof app.phrases.find>>;

/** Finds what the words of an address name. Undefined: it has no words. */
export async function readPhrases(query: string): Promise<Phrases | undefined> {
  const q = new URLSearchParams(query).get('q') ?? '';
  return q.trim() === ''
    ? undefined
    : app.phrases.find({
        q,
        language: navigator.language,
        week_start: weekStart,
        timezone: zone.value,
      });
}

/** Returns the query of an address with limits in the place of the words that name them. */
export function withPhrases(query: string, phrases: Phrases | undefined): string {
  if (phrases === undefined) return query;
  const { days, people, rest } = phrases;
  const person = [
    ...new URLSearchParams(query).getAll('person'),
    ...people.map(({ name }) => name),
  ];
  const span = days && { from: days.from, to: days.to };
  return pathWith('', { q: rest, person, ...span }, query).slice(1);
}
