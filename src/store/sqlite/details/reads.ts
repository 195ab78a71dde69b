// The reads of details in a SQLite file.

import type { Database } from 'better-sqlite3';

import {
  afterValues,
  checkDetails,
  checkOriginal,
  hasWindow,
  type DetailReads,
  type FacetRange,
  type ItemRange,
} from '../../details/reads.ts';
import * as details from '../../sql/details.ts';
import { perCount } from '../../sql/facets.ts';
import { query, type Synchronous } from '../../sql/query.ts';
import { windowValues } from '../../sql/reads.ts';
import { prepareOn } from '../statements.ts';
import { facetOrder } from './facet-order.ts';

const reads = {
  document: query(details.document(details.bySlot)),
  original: query(details.original(details.bySlot)),
  totals: query(details.totals(details.bySlot)),
  totalsInWindow: query(details.totalsInWindow(details.bySlot)),
  actionItems: query(details.actionItems(details.bySlot)),
};

/** Creates the reads of details on a connection. */
export function detailReads(db: Database): Synchronous<DetailReads> {
  const held = {
    document: prepareOn(db, reads.document),
    original: prepareOn(db, reads.original),
    totals: prepareOn(db, reads.totals),
    totalsInWindow: prepareOn(db, reads.totalsInWindow),
    actionItems: prepareOn(db, reads.actionItems),
    withFacets: perCount((count) => ({
      totals: prepareOn(db, query(details.totalsWithFacets(details.bySlot, count))),
      actionItems: prepareOn(db, query(details.actionItemsWithFacets(details.bySlot, count))),
    })),
  };
  const rarestFirst = facetOrder(db);
  const valuesOf = ({ account_id, facets, ...range }: FacetRange | ItemRange) =>
    windowValues({ ...range, facets: facets && rarestFirst(account_id, facets) });
  return {
    details: (wanted) => ({ found: checkDetails(db.name, wanted, held.document.get(wanted)) }),
    original: (wanted) => ({ found: checkOriginal(db.name, wanted, held.original.get(wanted)) }),
    facets(range) {
      const { facets } = range;
      if (facets === undefined && !hasWindow(range)) return { found: held.totals.all(range) };
      const totals = facets ? held.withFacets(facets.length).totals : held.totalsInWindow;
      return { found: totals.all({ ...range, ...valuesOf(range) }) };
    },
    actionItems(range) {
      const { facets } = range;
      const items = facets ? held.withFacets(facets.length).actionItems : held.actionItems;
      return { found: items.all({ ...range, ...valuesOf(range), ...afterValues(range) }) };
    },
  };
}
