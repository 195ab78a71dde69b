// The input of a search: its cursor, or its parameters with the dates that its question names.

import { malformedParameter } from '../../../contract/check-input.ts';
import type { ValidInput } from '../../../contract/handlers.ts';
import { routes } from '../../../contract/routes.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import { dayReader, toMillisecondBounds, type TimeBounds } from '../../../lib/timezone.ts';
import { facetName, toFacets } from '../../../store/details/facets.ts';
import type { Days } from '../../../text/question/days.ts';
import { readOperators } from '../../../text/question/operators.ts';
import { readTime } from '../../../text/question/when.ts';
import { MAX_FACETS, readSearchCursor, type PagedSearch } from '../cursor.ts';

/** A search, and whether the same question means other dates tomorrow. */
export interface ReadSearch {
  readonly query: PagedSearch;
  readonly isOfToday: boolean;
}

/** Reads the input of a search. Throws a 400 if the cursor is malformed. */
export function searchQuery(
  input: ValidInput<typeof routes.search.passages>,
  now: number,
): Awaitable<ReadSearch> {
  const { q, cursor, limit, max_tokens, memory_id, is_processing, timezone = 'UTC' } = input;
  if (q === undefined || cursor !== undefined) {
    const query = cursor === undefined ? undefined : readSearchCursor(cursor);
    if (query === undefined) throw malformedParameter(routes.search.passages, 'cursor');
    return {
      query: {
        ...query,
        limit: limit ?? query.limit,
        max_tokens: max_tokens ?? query.max_tokens,
      },
      isOfToday: false,
    };
  }
  return andThen(dayReader(timezone), (dayOf) => {
    const { loose, after, before, tags, sources } = readOperators(q);
    // Those of the parameters, and the first of the question.
    const facets = [
      ...(toFacets(input) ?? []),
      ...tags.map((name) => facetName('tag', name)),
      ...sources.map((name) => facetName('source', name)),
    ].slice(0, MAX_FACETS);
    const { spans } = readTime(loose.join(' '), dayOf(new Date(now).toISOString()));
    const said = { started_after: after, started_before: before };
    return andThen(both(input, said, timezone), (bounds) =>
      andThen(toSpans(spans, timezone), (dates) => ({
        query: {
          q,
          memory_id,
          ...bounds,
          is_processing,
          facets: facets.length === 0 ? undefined : facets,
          dates,
          limit,
          max_tokens,
        },
        isOfToday: spans.length > 0,
      })),
    );
  });
}

/** Returns the bounds of the parameters and of the question together, in milliseconds. */
function both(
  one: TimeBounds<string>,
  other: TimeBounds<string>,
  timezone: string,
): Awaitable<Required<TimeBounds<number>>> {
  return andThen(toMillisecondBounds(one, timezone), (a) =>
    andThen(toMillisecondBounds(other, timezone), (b) => ({
      started_after: later(a.started_after, b.started_after),
      started_before: earlier(a.started_before, b.started_before),
    })),
  );
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

/** Converts days to milliseconds. Undefined: there are none. */
function toSpans(days: readonly Days[], timezone: string): Awaitable<PagedSearch['dates']> {
  const [first, ...rest] = days;
  if (first === undefined) return undefined;
  const bounds = { started_after: first.from, started_before: first.before };
  return andThen(toMillisecondBounds(bounds, timezone), (span) =>
    andThen(toSpans(rest, timezone), (spans = []) => [
      [span.started_after ?? 0, span.started_before ?? 0],
      ...spans,
    ]),
  );
}
