// Cursors: the position of the next page with the query of the first, encoded with a checksum against copying errors.

import { crc32 } from 'node:zlib';

import * as v from 'valibot';

import { MemoryId } from '../../contract/schemas/memory.ts';
import {
  canBeStored,
  Fields,
  Limit,
  Order,
  PassageLimit,
  QueryText,
  TokenBudget,
} from '../../contract/schemas/parameters.ts';
import type { ListPosition } from '../../store/positions.ts';
import type { FeedPosition } from '../../store/store.ts';

/** A whole number in a cursor. */
export const Whole = v.pipe(v.number(), v.safeInteger());

/** Times in milliseconds, from and to which memories start. */
export const bounds = { started_after: v.optional(Whole), started_before: v.optional(Whole) };

/** A text that a store compares. Anybody can make up a cursor. */
const Stored = v.pipe(v.string(), v.check(canBeStored));

/** How many people, tags and sources a query has at most: with 130, PostgreSQL plans for seconds. */
export const MAX_FACETS = 20;

/** People, tags and sources that a memory must have, as they are compared. */
const facets = v.optional(
  v.pipe(
    v.array(v.strictObject({ kind: v.picklist(['person', 'tag', 'source']), folded: Stored })),
    v.minLength(1),
    v.maxLength(MAX_FACETS),
  ),
);

// Without the account, which comes from each request's key, so that no cursor opens another account.
const ListCursor = v.strictObject({
  of: v.literal('memories'),
  order: Order,
  limit: v.optional(Limit),
  ...bounds,
  is_processing: v.optional(v.boolean()),
  q: v.optional(QueryText),
  facets,
  fields: v.optional(Fields),
  after: v.optional(v.strictTuple([Whole, MemoryId])),
});

const Seq = v.pipe(Whole, v.minValue(0));

const FeedCursor = v.strictObject({
  of: v.literal('changes'),
  // Absent in the cursors of the feed, which goes on.
  order: v.optional(v.literal('desc')),
  limit: v.optional(Limit),
  seq: Seq,
  epoch: Stored,
  // Cursors of earlier versions have no `latest`.
  latest: v.optional(v.strictTuple([Seq, Stored])),
});

const SearchCursor = v.strictObject({
  of: v.literal('search'),
  q: QueryText,
  memory_id: v.optional(MemoryId),
  ...bounds,
  is_processing: v.optional(v.boolean()),
  facets,
  // The dates that `q` names, in milliseconds. "Yesterday" is another day on the next page.
  dates: v.optional(v.array(v.strictTuple([Whole, Whole]))),
  limit: v.optional(PassageLimit),
  max_tokens: v.optional(TokenBudget),
  after: v.optional(
    v.strictObject({
      skip: Whole,
      score: v.number(),
      started_at: Whole,
      id: MemoryId,
      from: Whole,
      // Whether vectors had a part in the score. Such a score cannot be compared with one by words alone.
      fused: v.optional(v.literal(true)),
    }),
  ),
});

/** The query of a search, and the passage after which the next page starts. */
export type PagedSearch = Omit<v.InferOutput<typeof SearchCursor>, 'of'>;

/** A passage in the order of a search: the memories ranked before its group, then what it is sorted by. */
export type PassagePosition = NonNullable<PagedSearch['after']>;

/** Writes the cursor of a search. */
export function searchCursor({ q, ...query }: PagedSearch): string {
  return writeCursor({ of: 'search', ...query, q: shortInJson(q) });
}

/** Reads the cursor of a search. Returns undefined if `searchCursor` did not write it. */
export function readSearchCursor(text: string): PagedSearch | undefined {
  return readCursor(SearchCursor, text);
}

/** The query of a list, and the position after which its next page starts. */
export interface ListQuery extends Omit<v.InferOutput<typeof ListCursor>, 'of' | 'after'> {
  readonly after?: ListPosition | undefined;
}

/** The query of changes, and the position after which it continues. Default: the start. */
export interface FeedQuery {
  readonly order: 'asc' | 'desc';
  readonly limit?: number | undefined;
  readonly position?: FeedPosition | undefined;
}

/** Writes the cursor of a list. */
export function listCursor({ after, q, ...query }: ListQuery): string {
  const position: [number, string] | undefined = after && [after.started_at, after.id];
  return writeCursor({ of: 'memories', ...query, q: q && shortInJson(q), after: position });
}

/** Replaces characters that JSON escapes with six letters each, which could make a cursor too long for a URL. */
function shortInJson(q: string): string {
  return q.toWellFormed().replaceAll(/\p{Cc}/gu, (char) => (isSpace(char) ? ' ' : '-'));
}

function isSpace(char: string): boolean {
  return /\p{White_Space}/u.test(char);
}

/** Reads the cursor of a list. Returns undefined if `listCursor` did not write it. */
export function readListCursor(text: string): ListQuery | undefined {
  const read = readCursor(ListCursor, text);
  return read && { ...read, after: read.after && { started_at: read.after[0], id: read.after[1] } };
}

/** Writes the cursor of a feed. */
export function feedCursor({ limit, order }: FeedQuery, position: FeedPosition): string {
  const { seq, epoch, latest } = position;
  const end: [number, string] = [latest.seq, latest.epoch];
  const direction = order === 'desc' ? { order } : {};
  return writeCursor({ of: 'changes', ...direction, limit, seq, epoch, latest: end });
}

/**
 * Reads the cursor of a feed. Returns undefined if `feedCursor` did not write it. `position` is undefined
 * if an earlier version wrote it, because such a cursor cannot tell whether a restore has undone it.
 */
export function readFeedCursor(text: string): FeedQuery | undefined {
  const read = readCursor(FeedCursor, text);
  if (read === undefined) return undefined;
  const { limit, order = 'asc', seq, epoch, latest } = read;
  if (latest === undefined) return { limit, order };
  return { limit, order, position: { seq, epoch, latest: { seq: latest[0], epoch: latest[1] } } };
}

interface CursorQuery {
  readonly of: string;
  readonly [name: string]: unknown;
}

/** Writes a query, and the position after which its next page starts. */
export function writeCursor(query: CursorQuery): string {
  const json = Buffer.from(JSON.stringify(query));
  return Buffer.concat([checksum(json), json]).toString('base64url');
}

/** Reads a query by its schema. Returns undefined if `writeCursor` did not write it. */
export function readCursor<Query extends { readonly of: string }>(
  schema: v.GenericSchema<unknown, Query>,
  text: string,
): Omit<Query, 'of'> | undefined {
  const read = v.safeParse(schema, decode(text));
  if (!read.success) return undefined;
  const { of: _, ...query } = read.output;
  return query;
}

function decode(text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  const json = bytes.subarray(4);
  // Node ignores characters that are not base64url. Only the spelling that was sent is valid.
  const isIntact =
    bytes.toString('base64url') === text && checksum(json).equals(bytes.subarray(0, 4));
  return isIntact ? parse(json) : undefined;
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
