// Reads chunks of lists and short lists: many short memories as one row.

import type { Database } from 'better-sqlite3';

import { joinParts, releaseBytes } from '../bytes.ts';
import { isIntact } from '../check/on-read.ts';
import type { RecentChecks } from '../check/recent.ts';
import {
  between,
  boundsOf,
  boundValues,
  orderCheck,
  perShape,
  type ListShape,
  type ListValues,
} from '../sql/lists.ts';
import { build, query } from '../sql/query.ts';
import type {
  EncodedEntry,
  ListBatch,
  ListChunk,
  ListRange,
  Projection,
  SyncStore,
} from '../store.ts';
import { completenessCheck } from './lists.ts';
import { prepareOn } from './statements.ts';
import { readConsistently } from './watch/data-version.ts';

/** How many memories are read as one row: what a batch holds if each has 4 kB, or 1 kB without its transcript. */
const PER_ROW: Readonly<Record<Projection, number>> = { body: 64, slim: 256 };

/** Which query reads a chunk. Searches are read one memory at a time instead. */
export interface ChunkShape extends Pick<ListShape, 'order' | 'byState'> {
  readonly projection: Projection;
}

/** The values of a chunk query. It reads no memory if they have more than `max_bytes` together. */
interface ChunkValues extends ListValues {
  readonly max_bytes: number;
}

/** Memories in one row, with commas between them. `bytes` is null if they are too long, `facts` if there are none. */
interface ChunkRow {
  readonly bytes: ListChunk['bytes'] | null;
  /** Four values for each memory: id, start time, number of bytes and hash. */
  readonly facts: string | null;
}

const NO_ROW: ChunkRow = { bytes: null, facts: null };

/** A memory with the hash that its bytes should have. */
interface HashedEntry extends EncodedEntry {
  readonly sha256: string | undefined;
}

/** Memories that were read as one row: each, and all of their bytes. */
interface OneRow extends ListChunk {
  readonly items: readonly EncodedEntry[];
}

/** Creates the reads of chunks and of short lists on a connection. `readEach` reads memories one at a time. */
export function chunkReads(
  db: Database,
  checks: RecentChecks,
  readEach: (range: ListRange, maxBytes: number) => ListBatch<EncodedEntry>,
): Pick<SyncStore, 'chunk' | 'items'> {
  const statements = perShape((shape: ChunkShape) => prepareOn(db, chunkQuery(shape)));
  const isComplete = completenessCheck(db);
  const inState = readConsistently(db);

  return {
    chunk: (range, maxBytes) => asOneRow(range, maxBytes) ?? oneByOne(range, maxBytes),
    items(range, maxBytes) {
      const { limit = Infinity, projection } = range;
      const row = limit > PER_ROW[projection] ? undefined : asOneRow(range, maxBytes);
      if (row === undefined) return readEach(range, maxBytes);
      return { items: row.items, rest: row.rest, release: () => releaseBytes(row.bytes) };
    },
  };

  /**
   * Reads several memories as one row. Returns undefined for a search or facets, if there are none, if they are
   * unusually long, or if anything is wrong: reading them one at a time finds out what.
   */
  function asOneRow(range: ListRange, maxBytes: number): OneRow | undefined {
    if (range.q !== undefined || range.facets !== undefined) return undefined;
    return inState(() => readRow(range, maxBytes));
  }

  function readRow(range: ListRange, maxBytes: number): OneRow | undefined {
    const { account_id, order, projection, is_processing } = range;
    const shape = { order, projection, byState: is_processing !== undefined };
    const limit = Math.min(range.limit ?? Infinity, PER_ROW[projection]);
    const filters = { account_id, is_processing: Number(is_processing ?? false), match: '' };
    const bounds = boundsOf(range);
    const values = { ...filters, ...boundValues(bounds), limit, max_bytes: 2 * maxBytes };
    const { bytes, facts } = statements(shape).get(values) ?? NO_ROW;
    if (bytes === null || facts === null) return undefined;
    const items = entriesIn(bytes, facts);
    if (!items?.every(orderCheck(bounds, order))) return undefined;
    const checked = { account_id, revision: range.revision, is_processing, facts };
    if (!checks.passes(checked, () => areIntact(items, range))) return undefined;
    const rest = items.length < limit ? undefined : items.at(-1);
    return isComplete(range, { items, rest }) ? { bytes, items, rest } : undefined;
  }

  function oneByOne(range: ListRange, maxBytes: number): ListChunk {
    const { items: memories, rest } = readEach(range, maxBytes);
    const parts = memories.map(({ bytes }) => bytes);
    const bytes = joinParts(parts);
    parts.forEach(releaseBytes);
    return { bytes, rest };
  }
}

/** Returns the memories in a row, whose bytes are parts of those of the row; undefined if their sizes do not fit. */
function entriesIn(bytes: ListChunk['bytes'], facts: string): HashedEntry[] | undefined {
  const values = facts.split(','); // ids contain no commas: see MemoryId
  const all: HashedEntry[] = [];
  let end = 0;
  for (let i = 0; i < values.length; i += 4) {
    const id = values[i] ?? '';
    const part = bytes.subarray(end, end + Number(values[i + 2])) as EncodedEntry['bytes'];
    all.push({ id, started_at: Number(values[i + 1]), bytes: part, sha256: values[i + 3] });
    end += part.length + 1;
  }
  return end === bytes.length + 1 ? all : undefined;
}

function areIntact(
  items: readonly HashedEntry[],
  { account_id, is_processing }: ListRange,
): boolean {
  return items.every(({ id, started_at, bytes, sha256 }) =>
    isIntact(bytes, sha256, { account_id, id, started_at, is_processing }),
  );
}

/**
 * Reads memories as one row with commas between them, because a row costs more on its way out of SQLite
 * than to be read. It reads no body if they are too long together, which their sizes tell. The order is
 * that of the inner query: it has a limit, so SQLite cannot merge it into the outer one, which takes its
 * rows one after the other. A test pins that plan.
 */
export function chunkQuery({ projection, ...shape }: ChunkShape) {
  return query<ChunkValues, ChunkRow>((slot) => {
    const some = between({ ...shape, bySearch: false }, slot);
    const size = build
      .selectFrom(
        some.select((eb) => eb.fn<number>('octet_length', [projection]).as('size')).as('sizes'),
      )
      .select((eb) => eb.fn.sum<number>('size').as('sum'));
    return build
      .selectFrom(
        some
          .select((eb) => [
            eb
              .case()
              .when(size, '<=', slot('max_bytes'))
              .then(eb.ref(projection))
              .end()
              .as('bytes'),
            eb
              .fn<string>('concat_ws', [
                eb.val(','),
                'id',
                'started_at',
                eb.fn('octet_length', [projection]),
                `${projection}_sha256`,
              ])
              .as('facts'),
          ])
          .as('some'),
      )
      .select((eb) => [
        eb.cast<ChunkRow['bytes']>(eb.fn.agg('group_concat', ['bytes']), 'blob').as('bytes'),
        eb.fn.agg<ChunkRow['facts']>('group_concat', ['facts']).as('facts'),
      ]);
  });
}
