// The request of a search: what the query of the address asks for, as parameters of the API.

import type { Api } from '../../../../client/index.ts';
import { dayBounds, isDate } from '../../dates.ts';
import { facetsOfFilter, readFilter } from '../list/filter.ts';

/** The parameters of a search. */
export interface SearchInput extends Omit<
  NonNullable<Parameters<Api['search']>[0]>,
  'cursor' | 'max_tokens' | 'memory_id'
> {
  readonly q: string;
}

/** A query without words. It finds all that is within the other limits of a search. */
export const ANY = 'after:1900';

/** How many passages a request gets. */
const LIMIT = 20;

/** Returns the request for an address. Days are days of the reader's zone. Undefined: there is nothing to look for. */
export function inputOf(query: string, zone: string): SearchInput | undefined {
  const asked = new URLSearchParams(query);
  const q = asked.get('q') ?? '';
  if (q.trim() === '') return undefined;
  const read = (name: 'from' | 'to' | 'state') => asked.get(name) ?? '';
  const [from, to, state] = [read('from'), read('to'), read('state')];
  return {
    q,
    limit: LIMIT,
    ...dayBounds(from, isDate(to) ? to : ''),
    ...(to !== '' && !isDate(to) && { started_before: to }), // the gateway says what is wrong
    ...((from || to) && { timezone: zone }),
    ...(state && { is_processing: state === 'processing' }),
    ...facetsOfFilter(readFilter(query)),
  };
}
