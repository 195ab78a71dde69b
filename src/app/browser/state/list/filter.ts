// The filter of the list, as the address has it and as requests take it.

import { dayBounds, isDate } from '../../dates.ts';
import { personOf } from '../../parts/title.ts';
import { FIELDS } from './row.ts';

/** What the list is limited to. An empty text limits nothing. */
export interface Filter {
  /** The first day, such as `2026-11-18`. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly state: '' | 'processing' | 'ready';
  readonly tag: string;
  readonly source: string;
  /** Names of people who all take part. */
  readonly person: readonly string[];
  /** `asc`: the oldest memory is first. Only the calendar has it. */
  readonly order: '' | 'asc';
}

/** What limits nothing. */
export const NO_FILTER: Filter = {
  from: '',
  to: '',
  state: '',
  tag: '',
  source: '',
  person: [],
  order: '',
};

/** Reads the query of an address, and ignores what is no filter. */
export function readFilter(query: string): Filter {
  const given = new URLSearchParams(query);
  const read = (name: string) => given.get(name)?.trim() ?? '';
  const day = (name: string) => (isDate(read(name)) ? read(name) : '');
  const state = read('state');
  return {
    from: day('from'),
    to: day('to'),
    state: state === 'processing' || state === 'ready' ? state : '',
    tag: read('tag'),
    source: read('source'),
    person: given.getAll('person').filter((name) => name.trim() !== ''),
    order: '',
  };
}

/** Whether a filter limits anything. */
export function isLimited(filter: Filter): boolean {
  return Object.values(filter).some(({ length }) => length);
}

/** Returns what days have none of, if they have nothing that passes a filter: memories, or those with somebody. */
export function absentIn(filter: Filter): string {
  const [name, more] = filter.person;
  if (more !== undefined || isLimited({ ...filter, from: '', to: '', person: [], order: '' }))
    return 'such memories';
  return name === undefined ? 'memories' : personOf(name);
}

/** Whether the totals of days count what passes a filter: they know days, but no states. */
export function isCounted({ state }: Filter): boolean {
  return !state;
}

/** Returns the parameters of the days of a filter. */
export function daysOfFilter(filter: Filter, timezone: string) {
  return { timezone, ...dayBounds(filter.from, filter.to), ...facetsOfFilter(filter) };
}

/** Returns the parameters of a filter that are about what the sources knew. */
export function facetsOfFilter({ tag, source, person }: Filter) {
  return {
    ...(person[0] && { person }),
    ...(tag && { tag }),
    ...(source && { source }),
  };
}

/** Returns the parameters of the memories that pass a filter. */
export function listOfFilter(filter: Filter, timezone: string) {
  return {
    ...daysOfFilter(filter, timezone),
    ...(filter.state && { is_processing: filter.state === 'processing' }),
    fields: FIELDS,
  };
}
