// Reads pieces: many short memories at once, as one row.

import type { Database } from 'better-sqlite3';

import { boundsOf, inOrder, valuesOf } from '../bounds.ts';
import { join, release } from '../bytes.ts';
import { isWhole } from '../integrity.ts';
import { between, type ListShape, type ListValues } from '../lists.ts';
import { build, query } from '../query.ts';
import type { SyncStore } from '../sqlite.ts';
import type { Batch, Bytes, Encoded, Piece, Position, Range } from '../store.ts';
import { completeness } from './completeness.ts';
import { inOneState } from './fresh.ts';
import { hold } from './held.ts';

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
  /** Of each four: its id, when it started, how many bytes it has, and their hash. */
  readonly facts: string | null;
}

/** The read of pieces, on a connection whose `items` reads memories one by one. */
export function pieceRead(
  db: Database,
  items: (range: Range, maxBytes: number) => Batch<Encoded>,
): SyncStore['piece'] {
  const held = new Map(PIECE_SHAPES.map((shape) => [nameOf(shape), hold(db, piece(shape))]));

  const isComplete = completeness(db);
  const inState = inOneState(db);

  return (range, maxBytes) =>
    (range.q === undefined && inState(() => atOnce(range, maxBytes))) || oneByOne(range, maxBytes);

  /**
   * Reads as many memories as are usual. Undefined when there are none, when they are unusually long,
   * and when something is wrong: one by one tells what.
   */
  function atOnce(range: Range, maxBytes: number): Piece | undefined {
    const { account_id, order, bytes, is_processing } = range;
    const shape = { order, bytes, byState: is_processing !== undefined };
    const limit = Math.min(range.limit ?? Infinity, USUAL[bytes]);
    const filters = { account_id, is_processing: Number(is_processing ?? false), match: '' };
    const bounds = boundsOf(range);
    const values = { ...filters, ...valuesOf(bounds), limit, most: 2 * maxBytes };
    const found = held.get(nameOf(shape))?.get(values);
    if (!found || found.bytes === null || found.facts === null) return undefined;
    const all = split(found.bytes, found.facts, range);
    if (!all?.every(inOrder(bounds, order))) return undefined;
    const rest = all.length < limit ? undefined : all.at(-1);
    return isComplete(range, { items: all, rest }) ? { bytes: found.bytes, rest } : undefined;
  }

  function oneByOne(range: Range, maxBytes: number): Piece {
    const { items: memories, rest } = items(range, maxBytes);
    const parts = memories.map(({ bytes }) => bytes);
    const bytes = join(parts);
    parts.forEach(release);
    return { bytes, rest };
  }
}

/** The places of the memories of a row; undefined where one of them is not whole. */
function split(bytes: Piece['bytes'], facts: string, range: Range): Position[] | undefined {
  const { account_id, is_processing } = range;
  const each = facts.split(','); // no id has a comma: see MemoryId
  const all: Position[] = [];
  let end = 0;
  for (let i = 0; i < each.length; i += 4) {
    const [id = '', start, size] = each.slice(i, i + 3);
    const part = bytes.subarray(end, end + Number(size));
    const started_at = Number(start);
    if (!isWhole(part, each[i + 3], { account_id, id, started_at, is_processing }))
      return undefined;
    all.push({ id, started_at });
    end += part.length + 1;
  }
  return end === bytes.length + 1 ? all : undefined;
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
          .select((eb) => [
            eb.case().when(size, '<=', slot('most')).then(eb.ref(bytes)).end().as('bytes'),
            eb
              .fn<string>('concat_ws', [
                eb.val(','),
                'id',
                'started_at',
                eb.fn('octet_length', [bytes]),
                `${bytes}_sha256`,
              ])
              .as('facts'),
          ])
          .as('some'),
      )
      .select((eb) => [
        eb.cast<Row['bytes']>(eb.fn.agg('group_concat', ['bytes']), 'blob').as('bytes'),
        eb.fn.agg<Row['facts']>('group_concat', ['facts']).as('facts'),
      ]);
  });
}
