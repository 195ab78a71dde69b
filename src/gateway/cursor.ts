// Cursors: where the next page starts and how it was asked for, opaque and proof against slips.

import { crc32 } from 'node:zlib';

import * as v from 'valibot';

import { malformed } from '../contract/endpoints.ts';
import { MemoryId } from '../contract/memory.ts';
import { Limit, Order, routes } from '../contract/routes.ts';
import type { Position } from '../store/store.ts';

// No account: it comes from the key of each request, so a cursor never opens another's memories.
const Fields = v.strictObject({
  version: v.literal(1),
  order: Order,
  limit: Limit,
  started_at: v.pipe(v.number(), v.safeInteger()),
  id: MemoryId,
});

/** How a page was asked for, and the place of its last memory. */
export interface Cursor {
  readonly order: 'desc' | 'asc';
  readonly limit: number;
  readonly after: Position;
}

/** Writes a cursor as text that needs no escaping in a URL. */
export function encodeCursor({ order, limit, after: { started_at, id } }: Cursor): string {
  const fields: v.InferOutput<typeof Fields> = { version: 1, order, limit, started_at, id };
  const json = Buffer.from(JSON.stringify(fields));
  return Buffer.concat([checksum(json), json]).toString('base64url');
}

/** Reads a cursor. Fails with 422 when it is not one that `encodeCursor` made. */
export function decodeCursor(text: string): Cursor {
  const bytes = Buffer.from(text, 'base64url');
  const json = bytes.subarray(4);
  // Node skips what is not base64url; only the one spelling that was sent is good.
  const isWhole =
    bytes.toString('base64url') === text && checksum(json).equals(bytes.subarray(0, 4));
  const fields = isWhole ? v.safeParse(Fields, parse(json)) : undefined;
  if (!fields?.success) throw malformed(routes.memories.list, 'cursor');
  const { order, limit, started_at, id } = fields.output;
  return { order, limit, after: { started_at, id } };
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
