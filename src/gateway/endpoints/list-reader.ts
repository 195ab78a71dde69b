// Reads the parts of a list: memories, reduced to the selected fields, or only positions.

import { andThen, type Awaitable } from '../../lib/async.ts';
import { BATCH_BYTES, byteLengthOf, joinParts } from '../../store/bytes.ts';
import type { ListPosition } from '../../store/positions.ts';
import type { ListBatch, ListChunk, ListEntry, ListRange, Store } from '../../store/store.ts';
import type { NextTurn } from '../fair-share/time.ts';
import type { FieldSelection } from './fields.ts';

/** The source of a list, and whether its caller is still there. */
export interface ListSource {
  readonly store: Store;
  /** Lets other requests run between two batches. */
  readonly nextTurn: NextTurn;
  readonly isAborted: () => boolean;
  /** Waits for the account's turn to hold a large part of a stream. Absent if there is no limit. */
  readonly holdLarge?: (() => Promise<() => void>) | undefined;
}

/** A list that is being read: its source, its range, and the fields of its memories. */
export interface ListReader extends ListSource, Omit<FieldSelection, 'name' | 'projection'> {
  readonly range: ListRange;
}

/** Reads memories, or only the index if it has the selected fields. */
export function readMemories(
  { store, fromPosition }: ListReader,
  range: ListRange,
): Awaitable<ListBatch> {
  if (fromPosition === undefined) return store.items(range, BATCH_BYTES);
  return andThen(store.positions(range), ({ items, rest, revision }) => ({
    items: items.map((position) => ({ ...position, bytes: fromPosition(position) })),
    rest,
    revision,
  }));
}

/** Reads the memories after a position as one chunk, reduced to the selected fields. */
export function readChunk(
  reader: ListReader,
  after: ListPosition | undefined,
): Awaitable<ListChunk> {
  const { store, selectMany, fromPosition } = reader;
  const range = { ...reader.range, after };
  if (fromPosition !== undefined)
    return andThen(store.positions(range), ({ items, rest }) => ({
      bytes: Buffer.from(items.map(fromPosition).join(',')),
      rest,
    }));
  return andThen(store.chunk(range, BATCH_BYTES), ({ bytes, rest }) => ({
    bytes: selectMany === undefined ? bytes : selectMany(bytes),
    rest,
  }));
}

/** A part of a list, as bytes or as text. */
export interface HasBytes {
  readonly bytes: Uint8Array<ArrayBuffer> | string;
}

/** Returns the number of bytes of some parts. */
export function totalSize(entries: readonly HasBytes[]): number {
  return entries.reduce((sum, { bytes }) => sum + byteLengthOf(bytes), 0);
}

/** Joins memories with commas, each reduced to its fields. */
export function join(
  { select, fromPosition }: ListReader,
  entries: readonly ListEntry[],
  { before = '', after = '' } = {},
): Uint8Array<ArrayBuffer> {
  const isReduced = select !== undefined && fromPosition === undefined;
  const parts = entries.map(({ bytes }) => (isReduced ? select(bytes) : bytes));
  return joinParts(parts, before, after);
}
