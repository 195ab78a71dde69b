// Lists on PostgreSQL: reads pages in index order, or from the weeks in which a search finds something.

import { damagedMemory, brokenOrder, isIntactText } from '../check/on-read.ts';
import type { RecentChecks } from '../check/recent.ts';
import type { ListPosition, RevisionResult } from '../positions.ts';
import { facetValues, perCount } from '../sql/facets.ts';
import {
  boundsOf,
  boundValues,
  orderCheck,
  perShape,
  shapeOf,
  type ListShape,
  type MemoryListShape,
} from '../sql/lists.ts';
import { facetCount } from '../sql/reads.ts';
import type { EncodedEntry, ListEntry, ListRange, Projection } from '../store.ts';
import { listOf, placesOf, type PageValues, type PlacedRow } from './list-queries.ts';
import type { ServerRead } from './reads.ts';
import { NOTHING, readSought } from './search/search.ts';
import type { ConnectionPool } from './servers/connection.ts';
import { prepare, type Prepared } from './statements.ts';

/** The queries of lists with a number of facets. */
const queriesOf = perCount((count) => ({
  places: perShape((shape: ListShape) => prepare(placesOf(shape, count))),
  lists: perShape((shape: MemoryListShape) => prepare(listOf(shape, count))),
}));

/** The most memories per statement. */
const MAX_MEMORIES = 1000;
/** The most positions per statement. */
const MAX_POSITIONS = 10_000;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Creates the list reads of a server. `name` is used in errors. */
export function pagesOf(
  run: ConnectionPool['query'],
  name: string,
  checks: RecentChecks,
): ServerRead<'items' | 'positions'> {
  return {
    async items(range, maxBytes) {
      const { account_id, is_processing, projection } = range;
      const limit = Math.min(range.limit ?? UNLIMITED, MAX_MEMORIES);
      const { lists } = queriesOf(facetCount(range));
      const { revision, rows } = await page(lists, range, { projection, limit, maxBytes });
      const soughtAt = ({ id, started_at }: ListPosition) => ({
        account_id,
        id,
        started_at,
        is_processing,
      });
      const items = rows.flatMap(({ started_at, id, sha256, text }) => {
        if (text === null) throw damagedMemory(name, soughtAt({ started_at, id }));
        const isLeftOut = range.facets !== undefined && sha256 === null;
        return isLeftOut ? [] : [{ started_at, id, sha256, bytes: text as Text }];
      });
      const facts = items
        .map(({ id, started_at, sha256 }) => `${id},${started_at},${sha256}`)
        .join();
      checks.passes({ account_id, revision, is_processing, facts }, () => {
        const damaged = items.find(
          (each) => !isIntactText(each.bytes, each.sha256, soughtAt(each)),
        );
        if (damaged) throw damagedMemory(name, soughtAt(damaged));
        return true;
      });
      const there = rows[0]?.found ?? 0;
      const isAll = there <= rows.length && there !== limit;
      return { revision, items, rest: isAll ? undefined : positionOf(rows.at(-1)) };
    },
    async positions(range) {
      const limit = Math.min(range.limit ?? UNLIMITED, MAX_POSITIONS);
      const most = { projection: undefined, limit, maxBytes: 0 };
      const { places } = queriesOf(facetCount(range));
      const { revision, rows } = await page<undefined, PlacedRow>(places, range, most);
      const items = rows
        .filter(({ has_facets }) => has_facets !== false)
        .map(({ started_at, id }) => ({ started_at, id }));
      return { revision, items, rest: rows.length < limit ? undefined : positionOf(rows.at(-1)) };
    },
  };

  /** Reads the rows of a page, and checks their order. */
  async function page<
    P extends Projection | undefined,
    Row extends Nullable<ListPosition> & { readonly revision: string },
  >(
    queries: (shape: ListShape & { readonly projection: P }) => () => Prepared<PageValues, Row>,
    range: ListRange,
    { projection, ...most }: { projection: P; limit: number; maxBytes: number },
  ): Promise<RevisionResult & { readonly rows: readonly (Row & ListPosition)[] }> {
    const { account_id, order, q, is_processing, facets } = range;
    const prepared = queries(shapeOf(range, projection));
    const sought = q === undefined ? NOTHING : readSought(q);
    if (sought === undefined) return { revision: range.revision, rows: [] }; // in every revision alike
    const bounds = boundsOf(range);
    const filters = {
      account_id,
      is_processing: Number(is_processing ?? false),
      ...(facets && facetValues(facets)),
    };
    const all = await run(prepared(), { ...filters, ...boundValues(bounds), ...sought, ...most });
    const rows = all.filter((row): row is Row & ListPosition => row.id !== null);
    if (!rows.every(orderCheck(bounds, order))) throw brokenOrder(name, account_id);
    return { revision: all[0]?.revision, rows };
  }
}

/** Encodes a memory that the driver returned as text. The driver would transfer bytes as two hex digits each. */
export function bytesOf(text: string): EncodedEntry['bytes'] {
  return Buffer.from(text) as Uint8Array<ArrayBuffer> as EncodedEntry['bytes'];
}

function positionOf(row: ListPosition | undefined): ListPosition | undefined {
  return row && { started_at: row.started_at, id: row.id };
}

type Text = Exclude<ListEntry['bytes'], Uint8Array>;

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
