// Pages: the memories and places of lists and searches, none of which is out of its place.

import { boundsOf, inOrder, valuesOf } from '../bounds.ts';
import { damaged, disordered, isWholeText } from '../integrity.ts';
import { LIST_SHAPES, type ListShape } from '../lists.ts';
import type { Batch, Bytes, Dated, Encoded, Item, Position, Range } from '../store.ts';
import { prepare, type Prepared } from './build.ts';
import type { Connections } from './driver.ts';
import { listOf, placesOf, type PageValues } from './lists.ts';
import { NOTHING, readSought } from './search.ts';

const places = new Map(
  LIST_SHAPES.filter(({ bytes }) => bytes === undefined).map((shape) => [
    nameOf(shape),
    prepare(placesOf(shape)),
  ]),
);
const lists = new Map(
  LIST_SHAPES.flatMap(({ bytes, ...shape }) =>
    bytes === undefined
      ? []
      : [[nameOf({ ...shape, bytes }), prepare(listOf({ ...shape, bytes }))] as const],
  ),
);

/** So many memories are read at once at most; of places many more. */
const MOST = 1000;
const MOST_PLACES = 10_000;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The reads of lists. */
export interface Pages {
  items(range: Range, maxBytes: number): Promise<Batch>;
  positions(range: Range): Promise<Batch<Position>>;
}

/** The reads of the lists of a server, which errors name. */
export function pagesOf(query: Connections['query'], name: string): Pages {
  return {
    async items(range, maxBytes) {
      const { account_id, is_processing, bytes } = range;
      const limit = Math.min(range.limit ?? UNLIMITED, MOST);
      const { revision, rows } = await page(lists, range, { bytes, limit, maxBytes });
      const items = rows.map(({ started_at, id, sha256, text }) => {
        const sought = { account_id, id, started_at, is_processing };
        if (text === null || !isWholeText(text, sha256, sought)) throw damaged(name, sought);
        return { started_at, id, bytes: text as Text };
      });
      const there = rows[0]?.found ?? 0;
      const isAll = there <= items.length && there !== limit;
      return { revision, items, rest: isAll ? undefined : items.at(-1) };
    },
    async positions(range) {
      const limit = Math.min(range.limit ?? UNLIMITED, MOST_PLACES);
      const most = { bytes: undefined, limit, maxBytes: 0 };
      const { revision, rows } = await page(places, range, most);
      const items = rows.map(({ started_at, id }) => ({ started_at, id }));
      return { revision, items, rest: items.length < limit ? undefined : items.at(-1) };
    },
  };

  /** Reads rows of a page, of which none is out of its place. */
  async function page<Row extends Nullable<Position> & { readonly revision: string }>(
    queries: ReadonlyMap<string, () => Prepared<PageValues, Row>>,
    range: Range,
    { bytes, ...most }: { bytes: Bytes | undefined; limit: number; maxBytes: number },
  ): Promise<Dated & { readonly rows: readonly (Row & Position)[] }> {
    const { account_id, order, q, is_processing } = range;
    const shape = { order, bytes, byState: is_processing !== undefined, bySearch: q !== undefined };
    const prepared = queries.get(nameOf(shape)) as () => Prepared<PageValues, Row>;
    const sought = q === undefined ? NOTHING : readSought(q);
    if (sought === undefined) return { revision: range.revision, rows: [] }; // as in every state
    const bounds = boundsOf(range);
    const filters = { account_id, is_processing: Number(is_processing ?? false) };
    const all = await query(prepared(), { ...filters, ...valuesOf(bounds), ...sought, ...most });
    const rows = all.filter((row): row is Row & Position => row.id !== null);
    if (!rows.every(inOrder(bounds, order))) throw disordered(name, account_id);
    return { revision: all[0]?.revision, rows };
  }
}

/** The bytes of a memory, which the driver hands over as text: of bytes it would make two digits each, and of these bytes. */
export function bytesOf(text: string): Encoded['bytes'] {
  return Buffer.from(text) as Uint8Array<ArrayBuffer> as Encoded['bytes'];
}

type Text = Exclude<Item['bytes'], Uint8Array>;

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

function nameOf({ order, byState, bySearch, bytes }: ListShape): string {
  return [order, byState, bySearch, bytes].join();
}
