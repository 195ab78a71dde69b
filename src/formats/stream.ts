// A stream of JSON: its items as they become whole, however long it is, and whatever follows what.

import { getManyValues, isMany, none, type Many } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

import { assembler } from './assemble.ts';
import { decodePart, ITEM_BYTES, join, NOT_UTF8, TOO_LARGE, type Bytes } from './bytes.ts';
import type { ItemFormat } from './format.ts';

/** Why a text is no JSON. */
export const NOT_JSON = 'it is not JSON, or breaks off';

/** An item, or why there is none from here on. */
export type Streamed = { readonly value: unknown } | { readonly reason: string };

const BRACE = 0x7d; // never a part of another character in UTF-8

/** Reads values one after the other, arrays and pages by their items; fails only as `bytes` does. */
export async function* streamOf(
  bytes: Bytes,
  formats: readonly ItemFormat[],
): AsyncGenerator<Streamed> {
  const parse = itemParser(formats);
  let parts: Uint8Array[] = [];
  let since = 0;
  for await (const part of bytes) {
    const end = part.lastIndexOf(BRACE) + 1;
    since += part.length;
    parts.push(part.subarray(0, end || part.length));
    if (end > 0) {
      for (const streamed of read(join(parts), parse)) {
        yield streamed;
        if ('reason' in streamed) return;
        since = 0;
      }
      parts = [part.subarray(end)];
    }
    if (since > ITEM_BYTES) {
      yield { reason: TOO_LARGE };
      return;
    }
  }
  yield* read(join(parts), parse, true);
}

/**
 * Reads bytes that end where an object does. They are parsed object by object, so that what is broken
 * takes nothing with it that was whole before.
 */
function* read(
  bytes: Uint8Array,
  parse: ItemParser,
  isEnd = false,
): Generator<Streamed, undefined> {
  for (let start = 0; start < bytes.length;) {
    const brace = bytes.indexOf(BRACE, start);
    const end = brace === -1 ? bytes.length : brace + 1;
    const text = decodePart(bytes.subarray(start, end));
    if (text === undefined) return void (yield { reason: NOT_UTF8 });
    start = end;
    const { values, isBroken } = parse(text);
    for (const value of values) yield { value };
    if (isBroken) return void (yield { reason: NOT_JSON });
  }
  if (!isEnd) return undefined;
  const { values, isBroken } = parse(none); // a number may go on up to here
  for (const value of values) yield { value };
  if (isBroken) yield { reason: NOT_JSON };
  return undefined;
}

/** Values that have become whole, and whether the text cannot go on. */
type ItemParser = (text: string | typeof none) => {
  readonly values: readonly unknown[];
  readonly isBroken: boolean;
};

function itemParser(formats: readonly ItemFormat[]): ItemParser {
  const tokenize = jsonParser({ jsonStreaming: true, streamValues: false });
  const assemble = assembler(formats);
  let isStart = true;
  return (given) => {
    const text = isStart && given !== none ? given.replace(/^\uFEFF/, '') : given;
    isStart = false;
    let tokens: Many<Token> | typeof none;
    try {
      tokens = tokenize(text as string);
    } catch (error) {
      if (!(error as Error).message.startsWith('Parser ')) throw error;
      return { values: [], isBroken: true };
    }
    const values = isMany(tokens) ? getManyValues(tokens).flatMap(assemble) : [];
    return { values, isBroken: false };
  };
}
