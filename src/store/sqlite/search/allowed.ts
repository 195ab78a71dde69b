// The memories that a search may find in a part of a week, by the filters of the search.

import type { Database } from 'better-sqlite3';

import type { SearchRange } from '../../search/postings.ts';
import { startOfWeek, weekOf } from '../../search/weeks.ts';
import { facetValues, perCount, withFacets } from '../../sql/facets.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { prepareOn } from '../statements.ts';

interface Range {
  readonly account_id: string;
  readonly from: number;
  readonly to: number;
}

/** The rows of a range with a number of facets, and of one state or of both. */
function memoriesWith(count: number, byState: boolean) {
  return query((slot: Slot<Range & { readonly is_processing: number }>) => {
    if (count === 0) {
      const all = inRange(slot).select('pk');
      return byState ? all.where('is_processing', '=', slot('is_processing')) : all;
    }
    const some = withFacets(slot, count)
      .where('first.started_at', '>=', slot('from'))
      .where('first.started_at', '<', slot('to'))
      .select('memories.pk');
    return byState ? some.where('memories.is_processing', '=', slot('is_processing')) : some;
  });
}

function inRange(slot: Slot<Range>) {
  return build
    .selectFrom('memories')
    .where('account_id', '=', slot('account_id'))
    .where('started_at', '>=', slot('from'))
    .where('started_at', '<', slot('to'));
}

/** Creates the read of the rows of these memories on a connection. Undefined: all of a whole week. */
export function allowedReads(db: Database) {
  const held = perCount((count) =>
    [false, true].map((byState) => prepareOn(db, memoriesWith(count, byState))),
  );

  return (
    { account_id, is_processing, facets = [] }: SearchRange,
    from: number,
    to: number,
  ): ReadonlySet<number> | undefined => {
    const isWhole = from === startOfWeek(weekOf(from)) && to === startOfWeek(weekOf(from) + 1);
    if (isWhole && facets.length === 0 && is_processing === undefined) return undefined;
    const values = {
      account_id,
      from,
      to,
      is_processing: Number(is_processing),
      ...facetValues(facets),
    };
    const some = held(facets.length)[Number(is_processing !== undefined)]!;
    return new Set(some.all(values).map(({ pk }) => pk));
  };
}
