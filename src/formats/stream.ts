// A stream of JSON: its values as they become whole, however long it is.

import { gen, none } from 'stream-chain/core';
import { pick } from 'stream-json/core/filters/pick.js';
import { parser } from 'stream-json/core/parser.js';
import { streamValues } from 'stream-json/core/streamers/stream-values.js';

import { ITEM_BYTES, NOT_UTF8, TOO_LARGE, type Bytes } from './bytes.ts';

/** Why a text is no JSON. */
export const NOT_JSON = 'it is not JSON, or breaks off';

/** Values that have become whole, and why no more will. */
export interface Part {
  readonly values: readonly unknown[];
  readonly reason?: string;
}

/** Picks a value by the names and numbers that lead to it, at its first token. */
export type Filter = (
  stack: readonly (string | number | null)[],
  token: { readonly name: string },
) => boolean;

/** Reads the values at a path, or those at the top; fails only as `bytes` does. */
export async function* streamOf(
  bytes: Bytes | Iterable<Uint8Array>,
  path: RegExp | Filter | undefined,
): AsyncGenerator<Part> {
  const [start, end] = [parser({ jsonStreaming: true, streamValues: false }), streamValues()];
  const read = path ? gen(start, pick({ filter: path }), end) : gen(start, end);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let since = 0;
  for await (const bytesOfPart of bytes) {
    const part = await parseOn(read, () => decoder.decode(bytesOfPart, { stream: true }));
    since = part.values.length > 0 ? 0 : since + bytesOfPart.length;
    const isTooLarge = since > ITEM_BYTES && part.reason === undefined;
    yield isTooLarge ? { ...part, reason: TOO_LARGE } : part;
    if (isTooLarge || part.reason !== undefined) return;
  }
  const last = await parseOn(read, () => decoder.decode());
  yield last;
  if (last.reason === undefined) yield await parseOn(read, () => none as never);
}

async function parseOn(
  read: (text: string) => AsyncIterable<{ readonly value: unknown }>,
  text: () => string,
): Promise<Part> {
  const values: unknown[] = [];
  try {
    for await (const { value } of read(text())) values.push(value);
    return { values };
  } catch (error) {
    return { values, reason: error instanceof TypeError ? NOT_UTF8 : NOT_JSON };
  }
}
