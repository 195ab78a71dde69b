// The order of facets in a query: the one that the fewest memories have comes first, because its memories are looked at.

import type { Database } from 'better-sqlite3';

import type { FacetName } from '../../scope.ts';
import { facetSize, facetValues } from '../../sql/facets.ts';
import { prepareOn } from '../statements.ts';

/** Creates the function that puts facets into this order. PostgreSQL's planner does so by itself. */
export function facetOrder(db: Database) {
  const size = prepareOn(db, facetSize);
  return (account_id: string, facets: readonly FacetName[]): readonly FacetName[] => {
    if (facets.length < 2) return facets;
    const sizeOf = (facet: FacetName) =>
      size.get({ account_id, ...facetValues([facet]) })?.memories ?? 0;
    const sized = facets.map((facet) => ({ facet, memories: sizeOf(facet) }));
    return sized.toSorted((a, b) => a.memories - b.memories).map(({ facet }) => facet);
  };
}
