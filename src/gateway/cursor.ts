// Cursors: where the next page starts and how it was asked for, opaque and proof against slips.

import { crc32 } from 'node:zlib';

import * as v from 'valibot';

import { MemoryId } from '../contract/memory.ts';
import { Fields, Limit, Order, Query } from '../contract/parameters.ts';
import type { Mark, Position } from '../store/store.ts';

const Whole = v.pipe(v.number(), v.safeInteger());

// No account: it comes from the key of each request, so a cursor never opens another's memories.
const ListCursor = v.strictObject({
  of: v.literal('memories'),
  order: Order,
  limit: v.optional(Limit),
  started_after: v.optional(Whole),
  started_before: v.optional(Whole),
  is_processing: v.optional(v.boolean()),
  q: v.optional(Query),
  fields: v.optional(Fields),
  after: v.optional(v.strictTuple([Whole, MemoryId])),
});

const FeedCursor = v.strictObject({
  of: v.literal('changes'),
  limit: v.optional(Limit),
  seq: v.pipe(Whole, v.minValue(0)),
  epoch: v.string(),
});

/** How a list was asked for, and the place its next page starts behind. */
export interface ListQuery extends Omit<v.InferOutput<typeof ListCursor>, 'of' | 'after'> {
  readonly after?: Position | undefined;
}

/** How a feed was asked for, and the place it goes on from. */
export interface FeedQuery {
  readonly limit?: number | undefined;
  readonly mark: Mark;
}

/** Writes the cursor of a list. */
export function listCursor({ after, q, ...query }: ListQuery): string {
  const place: [number, string] | undefined = after && [after.started_at, after.id];
  return encode({ of: 'memories', ...query, q: q && shortInJson(q), after: place });
}

/** The same query without what JSON spells in six letters, lest its cursor be too long for a target. */
function shortInJson(q: string): string {
  return q.toWellFormed().replaceAll(/\p{Cc}/gu, (char) => (isSpace(char) ? ' ' : '-'));
}

function isSpace(char: string): boolean {
  return /\p{White_Space}/u.test(char);
}

/** Reads the cursor of a list; undefined when it is none that `listCursor` made. */
export function readListCursor(text: string): ListQuery | undefined {
  const read = v.safeParse(ListCursor, decode(text));
  if (!read.success) return undefined;
  const { of: _, after, ...query } = read.output;
  return { ...query, after: after && { started_at: after[0], id: after[1] } };
}

/** Writes the cursor of a feed. */
export function feedCursor({ limit, mark }: FeedQuery): string {
  return encode({ of: 'changes', limit, ...mark });
}

/** Reads the cursor of a feed; undefined when it is none that `feedCursor` made. */
export function readFeedCursor(text: string): FeedQuery | undefined {
  const read = v.safeParse(FeedCursor, decode(text));
  if (!read.success) return undefined;
  const { limit, seq, epoch } = read.output;
  return { limit, mark: { seq, epoch } };
}

function encode(value: v.InferInput<typeof ListCursor> | v.InferInput<typeof FeedCursor>): string {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([checksum(json), json]).toString('base64url');
}

function decode(text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  const json = bytes.subarray(4);
  // Node skips what is not base64url; only the one spelling that was sent is good.
  const isWhole =
    bytes.toString('base64url') === text && checksum(json).equals(bytes.subarray(0, 4));
  return isWhole ? parse(json) : undefined;
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
