// The reads of details in a SQLite file.

import type { Database } from 'better-sqlite3';

import {
  afterValues,
  checkDetails,
  checkOriginal,
  hasWindow,
  type DetailReads,
} from '../../details/reads.ts';
import * as details from '../../sql/details.ts';
import { query, type Synchronous } from '../../sql/query.ts';
import { windowValues } from '../../sql/reads.ts';
import { prepareOn } from '../statements.ts';

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
  };
  return {
    details: (wanted) => ({ found: checkDetails(db.name, wanted, held.document.get(wanted)) }),
    original: (wanted) => ({ found: checkOriginal(db.name, wanted, held.original.get(wanted)) }),
    facets: (range) => ({
      found: hasWindow(range)
        ? held.totalsInWindow.all({ ...range, ...windowValues(range) })
        : held.totals.all(range),
    }),
    actionItems: (range) => ({
      found: held.actionItems.all({ ...range, ...windowValues(range), ...afterValues(range) }),
    }),
  };
}
