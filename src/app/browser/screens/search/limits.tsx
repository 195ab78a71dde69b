// The limits of a search: chips that take one away, those of its fields and those that its words name.

import { useRef } from 'preact/hooks';

import { isDate, monthOf } from '../../dates.ts';
import type { Chip } from '../../parts/lists/chips.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { personOf } from '../../parts/title.ts';
import { sourceTitle } from '../../state/products.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { readPhrases, withPhrases, type Phrases } from '../../state/search/understand.ts';
import { dates } from '../../time-formats.ts';
import { datesOfMonth } from '../calendar/days.ts';

/** The states of memories by the names that addresses have. */
export const STATES: Readonly<Record<string, string>> = {
  ready: 'Ready',
  processing: 'Summary to come',
};

/** Returns what a query limits a search to. */
export function limitsOf(query: string): Chip[] {
  const asked = new URLSearchParams(query);
  const [from = '', to = ''] = ['from', 'to'].map((name) => asked.get(name) ?? '');
  const chips: Chip[] = [];
  const span = spanText(from, to);
  if (span !== undefined) chips.push({ ...span, to: without(query, 'from', 'to') });
  else
    for (const [label, day] of Object.entries({ from, to }))
      if (day !== '') chips.push({ label, text: dayText(day), to: without(query, label) });
  const people = asked.getAll('person');
  for (const name of people) {
    const person = people.filter((each) => each !== name);
    chips.push({ label: 'with', text: personOf(name), to: searchPath(query, { person }) });
  }
  for (const label of ['tag', 'source', 'state']) {
    const value = asked.get(label);
    if (!value) continue;
    const text =
      label === 'source' ? sourceTitle(value) : (label === 'state' && STATES[value]) || value;
    chips.push({ label, text, to: without(query, label) });
  }
  return chips;
}

/** Returns the path of a search without limits, by their names in the address. */
function without(query: string, ...names: readonly string[]): string {
  return searchPath(query, Object.fromEntries(names.map((name) => [name, ''])));
}

/** Whether the days from one to another are a month. */
export function isMonth(from: string, to: string): boolean {
  return isDate(from) && `${from} ${to}` === datesOfMonth(monthOf(from)).join(' ');
}

/** How the days from one to another are told if they are one day or one month. */
function spanText(from: string, to: string): Omit<Chip, 'to'> | undefined {
  if (!isDate(from)) return undefined;
  if (from === to) return { label: 'on', text: dayText(from) };
  return isMonth(from, to)
    ? { label: 'in', text: dates.value.monthOfYear(monthOf(from)) }
    : undefined;
}

function dayText(day: string): string {
  return isDate(day) ? shortDate(day, dates.value) : day;
}

/** A search as its words are understood. */
interface Understood extends Partial<Pick<Phrases, 'meant' | 'named' | 'offered'>> {
  /** The query of the address with the limits that its words name. */
  readonly query: string;
  readonly chips: readonly Chip[];
  /** Whether it is that of these words, or nothing is known because of a failure. Before, it is that of the words before. */
  readonly isReady: boolean;
}

/** Finds the limits that the words of the address name: days, and people that the gateway knows. */
export function useUnderstood(): Understood {
  const { query } = place.value;
  const words = new URLSearchParams(query).get('q') ?? '';
  const { data, failure } = useResource(
    `phrases ${zone.value} ${words}`,
    async () => ({ words, phrases: await readPhrases(query) }),
    true,
  );
  const isReady = data?.words === words || failure !== undefined;
  const phrases = failure ? undefined : data?.phrases;
  const now = { ...phrases, query: withPhrases(query, phrases), chips: chipsOf(query, phrases) };
  const last = useRef(now);
  if (isReady) last.current = now;
  return { ...last.current, isReady };
}

/** Returns the limits of an address: those of its fields, and those of its words, which take these words along. */
function chipsOf(query: string, phrases: Phrases | undefined): Chip[] {
  if (phrases === undefined) return limitsOf(query);
  const { days, people } = phrases;
  const fields = new URLSearchParams(query);
  if (days) for (const name of ['from', 'to']) fields.delete(name);
  const left = people.map(({ q }) => q);
  const named = withPhrases('', { ...phrases, rest: '' });
  return [
    ...limitsOf(`${fields}`),
    ...limitsOf(named).map((chip) => ({
      ...chip,
      to: searchPath(query, { q: (chip.label === 'with' ? left.shift() : days?.q) ?? '' }),
    })),
  ];
}
