// Reads pieces: many short memories at once, as one row.

import type { Database } from 'better-sqlite3';

import { boundsOf, inOrder, valuesOf } from './bounds.ts';
import { join, release } from './bytes.ts';
import { hold } from './held.ts';
import { isWhole } from './integrity.ts';
import { between, type ListShape, type ListValues } from './lists.ts';
import { build, query } from './query.ts';
import type { SyncStore } from './sqlite.ts';
import type { Bytes, Piece, Position, Range } from './store.ts';

/** How many memories are read at once: as many as a batch holds where they are 4 kB long, or 1 kB without transcripts. */
const USUAL: Readonly<Record<Bytes, number>> = { body: 64, slim: 256 };

/** Which query a piece takes; where words are searched, it is read one by one. */
export interface PieceShape extends Pick<ListShape, 'order' | 'byState'> {
  readonly bytes: Bytes;
}

/** All shapes that pieces have. */
export const PIECE_SHAPES: readonly PieceShape[] = (['desc', 'asc'] as const).flatMap((order) =>
  [true, false].flatMap((byState) =>
    (['body', 'slim'] as const).map((bytes) => ({ order, byState, bytes })),
  ),
);

/** The values of a piece: of memories that have more bytes than `most` together, none is read. */
interface PieceValues extends ListValues {
  readonly most: number;
}

/** Memories in one row, with commas between: null for their bytes when they are too many, and for all when there are none. */
interface Row {
  readonly bytes: Piece['bytes'] | null;
  readonly ids: string | null;
  readonly starts: string | null;
  readonly sizes: string | null;
  readonly hashes: string | null;
}

type Whole = { readonly [K in keyof Row]: NonNullable<Row[K]> };

/** The read of pieces, on a connection whose `items` reads memories one by one. */
export function pieceRead(db: Database, items: SyncStore['items']): SyncStore['piece'] {
  const held = new Map(PIECE_SHAPES.map((shape) => [nameOf(shape), hold(db, piece(shape))]));

  return (range, maxBytes) =>
    (range.q === undefined && atOnce(range, maxBytes)) || oneByOne(range, maxBytes);

  /** Reads as many memories as are usual; undefined when they are unusually long, or not whole: one by one tells which. */
  function atOnce(range: Range, maxBytes: number): Piece | undefined {
    const { account_id, order, bytes, is_processing } = range;
    const shape = { order, bytes, byState: is_processing !== undefined };
    const limit = Math.min(range.limit ?? Infinity, USUAL[bytes]);
    const filters = { account_id, is_processing: Number(is_processing ?? false), match: '' };
    const bounds = boundsOf(range);
    const values = { ...filters, ...valuesOf(bounds), limit, most: 2 * maxBytes };
    const found = held.get(nameOf(shape))?.get(values);
    if (!found?.ids) return { bytes: new Uint8Array(), rest: undefined };
    if (found.bytes === null) return undefined;
    const places = wholeOnes(found as Whole, range, inOrder(bounds, order));
    return (
      places && { bytes: found.bytes, rest: places.length < limit ? undefined : places.at(-1) }
    );
  }

  function oneByOne(range: Range, maxBytes: number): Piece {
    const { items: memories, rest } = items(range, maxBytes);
    const parts = memories.map(({ bytes }) => bytes);
    const bytes = join(parts);
    parts.forEach(release);
    return { bytes, rest };
  }
}

/** The places of memories in one row that are all whole, and in their order; undefined where one is not. */
function wholeOnes(
  { bytes, ids, starts, sizes, hashes }: Whole,
  { account_id, is_processing }: Range,
  isNext: (place: Position) => boolean,
): Position[] | undefined {
  const [eachStart, eachSize, eachHash] = [starts, sizes, hashes].map((all) => all.split(','));
  let end = 0;
  const places = ids.split(',').map((id, i) => {
    // no id has a comma: see MemoryId
    const place = { id, started_at: Number(eachStart?.[i]) };
    const part = bytes.subarray(end, end + Number(eachSize?.[i]));
    end += part.length + 1;
    const sought = { ...place, account_id, is_processing };
    return isNext(place) && isWhole(part, eachHash?.[i], sought) ? place : undefined;
  });
  return end === bytes.length + 1 && places.every((place) => place !== undefined)
    ? places
    : undefined;
}

function nameOf({ order, byState, bytes }: PieceShape): string {
  return [order, byState, bytes].join();
}

/**
 * Reads memories with commas between, unless they are too long together, which their rows tell before
 * a body is read: a row costs more on its way from SQLite than to be read. The order is that of the
 * inner query: as it has a limit, SQLite cannot merge it with the outer one, which takes its rows one
 * by one, as the pinned plan shows.
 */
export function piece({ bytes, ...shape }: PieceShape) {
  return query<PieceValues, Row>((slot) => {
    const some = between({ ...shape, bySearch: false }, slot);
    const size = build
      .selectFrom(
        some.select((eb) => eb.fn<number>('octet_length', [bytes]).as('size')).as('sizes'),
      )
      .select((eb) => eb.fn.sum<number>('size').as('sum'));
    return build
      .selectFrom(
        some
          .select(['started_at', 'id', `${bytes}_sha256 as sha256`])
          .select((eb) => [
            eb.fn<number>('octet_length', [bytes]).as('size'),
            eb.case().when(size, '<=', slot('most')).then(eb.ref(bytes)).end().as('bytes'),
          ])
          .as('some'),
      )
      .select((eb) => [
        eb.cast<Row['bytes']>(eb.fn.agg('group_concat', ['bytes']), 'blob').as('bytes'),
        eb.fn.agg<Row['ids']>('group_concat', ['id']).as('ids'),
        eb.fn.agg<Row['starts']>('group_concat', ['started_at']).as('starts'),
        eb.fn.agg<Row['sizes']>('group_concat', ['size']).as('sizes'),
        eb.fn.agg<Row['hashes']>('group_concat', ['sha256']).as('hashes'),
      ]);
  });
}
