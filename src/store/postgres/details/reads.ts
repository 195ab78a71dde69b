// The reads of details on one server, each with the account's revision.

import type { AliasableExpression } from 'kysely';

import { showDatabase } from '../../address.ts';
import {
  afterValues,
  checkDetails,
  checkOriginal,
  hasWindow,
  type DetailReads,
} from '../../details/reads.ts';
import * as details from '../../sql/details.ts';
import { perCount } from '../../sql/facets.ts';
import { query, type Slot } from '../../sql/query.ts';
import { windowValues } from '../../sql/reads.ts';
import { within, type ServerRead } from '../reads.ts';
import type { ConnectionPool } from '../servers/connection.ts';
import { prepare } from '../statements.ts';

const reads = {
  document: ofAccount(details.document(details.byOuterRow)),
  original: ofAccount(details.original(details.byOuterRow)),
  totals: ofAccount(details.totals(details.byOuterRow)),
  totalsInWindow: ofAccount(details.totalsInWindow(details.byOuterRow)),
  actionItems: ofAccount(details.actionItems(details.byOuterRow)),
  withFacets: perCount((count) => ({
    totals: ofAccount(details.totalsWithFacets(details.byOuterRow, count)),
    actionItems: ofAccount(details.actionItemsWithFacets(details.byOuterRow, count)),
  })),
};

/** A row of a lateral join, whose columns are null if it has found nothing. */
type Joined<Row> = { readonly [K in keyof Row]: Row[K] | null } & { readonly revision: string };

/** Prepares a read of rows of an account, with its revision. */
function ofAccount<Values extends { readonly account_id: string }, Row>(
  rows: (slot: Slot<Values>) => AliasableExpression<Row>,
) {
  return prepare(
    query((slot: Slot<Values>) =>
      within(slot)
        .leftJoinLateral(rows(slot).as('found'), (join) => join.onTrue())
        .selectAll('found')
        .select('accounts.revision')
        .$castTo<Joined<Row>>(),
    ),
  );
}

/** Creates the reads of details on a server. */
export function detailReadsOf(
  run: ConnectionPool['query'],
  address: ConnectionPool['address'],
): ServerRead<keyof DetailReads> {
  const name = showDatabase(address);
  return {
    async details(wanted) {
      const [row] = await run(reads.document(), wanted);
      const found = isThere(row, 'body') ? checkDetails(name, wanted, row) : undefined;
      return { revision: row?.revision, found };
    },
    async original(wanted) {
      const [row] = await run(reads.original(), wanted);
      const found = isThere(row, 'compressed') ? checkOriginal(name, wanted, row) : undefined;
      return { revision: row?.revision, found };
    },
    async facets(range) {
      const { facets } = range;
      const inWindow = facets ? reads.withFacets(facets.length).totals : reads.totalsInWindow;
      const rows =
        facets !== undefined || hasWindow(range)
          ? await run(inWindow(), { ...range, ...windowValues(range) })
          : await run(reads.totals(), range);
      return {
        revision: rows[0]?.revision,
        found: rows.filter((row) => isThere(row, 'folded')),
      };
    },
    async actionItems(range) {
      const values = { ...range, ...windowValues(range), ...afterValues(range) };
      const { facets } = range;
      const items = facets ? reads.withFacets(facets.length).actionItems : reads.actionItems;
      const rows = await run(items(), values);
      return {
        revision: rows[0]?.revision,
        found: rows.filter((row) => isThere(row, 'memory_id')),
      };
    },
  };
}

type Present<Row> = { readonly [K in keyof Row]: NonNullable<Row[K]> };

/** Returns whether a lateral join has found a row. */
function isThere<Row extends object>(
  row: Row | undefined,
  column: keyof Row,
): row is Row & Present<Row> {
  return row !== undefined && row[column] !== null;
}
