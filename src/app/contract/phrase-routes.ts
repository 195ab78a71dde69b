// The app's endpoint about what a query names, as data: days and people, which can limit the search.

import * as v from 'valibot';

import { PersonTotals } from '../../contract/schemas/facets.ts';
import { TimeZone } from '../../contract/schemas/moment.ts';
import { MAX_QUERY } from '../../contract/schemas/parameters.ts';
import type { ByEndpoint } from '../../contract/targets.ts';
import { ofSession, type RouteAtTarget } from './route-parts.ts';

/** What somebody has typed to search, and the time zone, the language and the weeks of its days. */
const TypedQuery = v.strictObject({
  q: v.pipe(
    v.string(),
    v.check((text) => Array.from(text).length <= MAX_QUERY),
    v.description('a text of up to 1,024 characters'),
  ),
  timezone: v.optional(TimeZone, 'UTC'),
  /** A tag such as `en-US`. */
  language: v.optional(v.string()),
  /** From 1 for Monday to 7 for Sunday. */
  week_start: v.optional(v.picklist([1, 2, 3, 4, 5, 6, 7])),
});

/** The days that a phrase of a query names, from the first to the last, and the query without it. */
const NamedDays = v.object({ from: v.string(), to: v.string(), q: v.string() });

/** The person that a phrase of a query names, and the query without it. */
const NamedPerson = v.object({ name: v.string(), q: v.string() });

/** The endpoint of phrases. */
export const phraseRoutes = {
  phrases: {
    find: {
      ...ofSession(422),
      summary:
        'Find what a query names: days and people that limit the search instead, or a person alone',
      input: TypedQuery,
      output: v.object({
        days: v.nullable(NamedDays),
        /** The days that a query may name, which is a word or a name as well. */
        offered: v.nullable(NamedDays),
        people: v.array(NamedPerson),
        /** The query without all of them. If it is a name of several words, it is a phrase. */
        rest: v.string(),
        /** The name that is meant by a misspelt one, which `rest` has instead. */
        meant: v.nullable(v.string()),
        /** The people whose name the whole query is, or begins, at most three. */
        named: v.array(PersonTotals),
      }),
    },
  },
} as const satisfies ByEndpoint<RouteAtTarget>;
