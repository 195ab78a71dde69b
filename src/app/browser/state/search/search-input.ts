// The request of a search: what the query of the address asks for, as parameters of the API.

import type { Api } from '../../../../client/index.ts';
import { isDate } from '../../dates.ts';
import { listOfFilter, readFilter } from '../list/filter.ts';

/** The parameters of a search. */
export interface SearchInput extends Omit<
  NonNullable<Parameters<Api['search']>[0]>,
  'cursor' | 'limit' | 'max_tokens' | 'memory_id'
> {
  readonly q: string;
}

/** A query without words. It finds all that is within the other limits of a search. */
export const ANY = 'after:1900';

/** Returns the request for an address. Days are days of the reader's zone. Undefined: there is nothing to look for. */
export function inputOf(query: string, zone: string): SearchInput | undefined {
  const asked = new URLSearchParams(query);
  const [q = '', from = '', to = ''] = ['q', 'from', 'to'].map((name) => asked.get(name) ?? '');
  if (q.trim() === '') return undefined;
  const { fields: _, ...limits } = listOfFilter({ ...readFilter(query), from }, zone);
  return {
    q,
    ...limits,
    ...(to !== '' && !isDate(to) && { started_before: to }), // the gateway says what is wrong
  };
}
