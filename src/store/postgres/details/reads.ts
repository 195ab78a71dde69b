// The reads of details on one server, each with the account's revision.

import { showDatabase } from '../../address.ts';
import {
  afterValues,
  checkDetails,
  checkOriginal,
  hasWindow,
  type DetailReads,
} from '../../details/reads.ts';
import * as details from '../../sql/details.ts';
import { query, type Slot } from '../../sql/query.ts';
import { windowValues } from '../../sql/reads.ts';
import { within } from '../reads.ts';
import type { ConnectionPool } from '../servers/connection.ts';
import { prepare } from '../statements.ts';

/** Reads of a server: they return promises. */
export type ServerDetailReads = {
  readonly [K in keyof DetailReads]: (
    ...args: Parameters<DetailReads[K]>
  ) => Promise<Awaited<ReturnType<DetailReads[K]>>>;
};

const document = prepare(
  query((slot: Slot<details.DetailsKey>) =>
    within(slot)
      .leftJoinLateral(details.document(details.byOuterRow)(slot).as('found'), (join) =>
        join.onTrue(),
      )
      .selectAll('found')
      .select('accounts.revision'),
  ),
);

const original = prepare(
  query((slot: Slot<details.DetailsKey>) =>
    within(slot)
      .leftJoinLateral(details.original(details.byOuterRow)(slot).as('found'), (join) =>
        join.onTrue(),
      )
      .selectAll('found')
      .select('accounts.revision'),
  ),
);

const totals = prepare(
  query((slot: Slot<details.FacetValues>) =>
    within(slot)
      .leftJoinLateral(details.totals(details.byOuterRow)(slot).as('found'), (join) =>
        join.onTrue(),
      )
      .selectAll('found')
      .select('accounts.revision'),
  ),
);

const totalsInWindow = prepare(
  query((slot: Slot<details.FacetValues & ReturnType<typeof windowValues>>) =>
    within(slot)
      .leftJoinLateral(details.totalsInWindow(details.byOuterRow)(slot).as('found'), (join) =>
        join.onTrue(),
      )
      .selectAll('found')
      .select('accounts.revision'),
  ),
);

const actionItems = prepare(
  query((slot: Slot<details.ItemValues>) =>
    within(slot)
      .leftJoinLateral(details.actionItems(details.byOuterRow)(slot).as('found'), (join) =>
        join.onTrue(),
      )
      .selectAll('found')
      .select('accounts.revision'),
  ),
);

/** Creates the reads of details on a server. */
export function detailReadsOf(
  run: ConnectionPool['query'],
  address: ConnectionPool['address'],
): ServerDetailReads {
  const name = showDatabase(address);
  return {
    async details(wanted) {
      const [row] = await run(document(), wanted);
      const found = isThere(row, 'body') ? checkDetails(name, wanted, row) : undefined;
      return { revision: row?.revision, found };
    },
    async original(wanted) {
      const [row] = await run(original(), wanted);
      const found = isThere(row, 'compressed') ? checkOriginal(name, wanted, row) : undefined;
      return { revision: row?.revision, found };
    },
    async facets(range) {
      const rows = hasWindow(range)
        ? await run(totalsInWindow(), { ...range, ...windowValues(range) })
        : await run(totals(), range);
      return {
        revision: rows[0]?.revision,
        found: rows.filter((row) => isThere(row, 'folded')),
      };
    },
    async actionItems(range) {
      const values = { ...range, ...windowValues(range), ...afterValues(range) };
      const rows = await run(actionItems(), values);
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
