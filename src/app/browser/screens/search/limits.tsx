// The limits of a search: chips that take one away, and phrases of the query that can become limits.

import { useLayoutEffect, useRef } from 'preact/hooks';

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { isDate, monthOf } from '../../dates.ts';
import type { Chip } from '../../parts/lists/chips.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { personOf } from '../../parts/title.ts';
import { sourceTitle } from '../../state/products.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { app } from '../../state/session.ts';
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

/** The search that was shown last, and the limits that were words in the box. */
let lastQuery = new URLSearchParams();
let typed: readonly (readonly [name: string, value: string])[] = [];

/** Takes the limits that were typed away when the box is emptied, or filled with something else, also after a limit alone. Others stay. */
export function useTypedLimits(): void {
  const { query, kept } = place.value;
  useLayoutEffect(() => {
    const [was, now] = [lastQuery, new URLSearchParams(query)];
    lastQuery = now;
    const [before = '', q = ''] = [was, now].map((asked) => asked.get('q') ?? '');
    // Fields change limits alone.
    if (kept || q === before) return;
    const added = [...now].filter(
      ([name, value]) => !/^(q|sort)$/.test(name) && !was.getAll(name).includes(value),
    );
    if (added.length > 0) {
      if (before !== '') typed = [...typed, ...added];
    } else if (typed.length > 0 && q[0] !== before[0] && q.at(-1) !== before.at(-1)) {
      for (const limit of typed) now.delete(...limit);
      typed = [];
      go(searchPath(`${now}`, {}), 'replace');
    }
  }, [query]);
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
  return Number.isNaN(Date.parse(day)) ? day : shortDate(day, dates.value);
}

/** The phrases that can be limits. */
export interface Suggestions {
  /** While somebody types on, those of the query before stay. */
  readonly suggestions: readonly Chip[];
  /** The path of the search with all of them. Undefined: there are none. */
  readonly all: string | undefined;
  /** The people whose name the query is, or begins. */
  readonly named: readonly PersonTotals[];
  /** Whether they are those of this query, or there are none because of a failure. */
  readonly isReady: boolean;
}

/** Finds phrases of the query that can be limits: days, and people that the gateway knows. */
export function useSuggestions(q: string): Suggestions {
  const { query } = place.value;
  const timezone = zone.value;
  const { data, failure } = useResource(`phrases ${timezone} ${q}`, async () =>
    q === '' ? undefined : app.phrases.find({ q, timezone }),
  );
  const last = useRef({ q, data });
  if (data !== undefined) last.current = { q, data };
  const {
    days,
    person,
    named = [],
    rest = null,
  } = (q.startsWith(last.current.q) && last.current.data) || {};
  // What was typed since then stays.
  const later = q.slice(last.current.q.length);
  const to = (changes: { readonly q: string }) =>
    searchPath(query, { ...changes, q: changes.q + later });
  const found: Chip[] = [];
  if (days) {
    const text = `${dayText(days.from)} to ${dayText(days.to)}`;
    found.push({ ...(spanText(days.from, days.to) ?? { label: 'from', text }), to: to(days) });
  }
  const people = person && {
    q: person.q,
    person: [...new URLSearchParams(query).getAll('person'), person.name],
  };
  if (people) found.push({ label: 'with', text: personOf(person.name), to: to(people) });
  return {
    suggestions: found,
    named: later.trim() === '' ? named : [],
    all: rest === null ? found[0]?.to : to({ ...days, ...people, q: rest }),
    isReady: q === '' || data !== undefined || failure !== undefined,
  };
}
