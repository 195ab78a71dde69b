// Parses a stream of JSON values of any length, and yields each item when it is complete.

import { getManyValues, isMany, none, type Many } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

import {
  decodeUtf8Part,
  ITEM_BYTES,
  concatBytes,
  notUtf8,
  TOO_LARGE,
  type ByteStream,
} from '../bytes.ts';
import type { ItemFormat } from '../format.ts';
import { createAssembler } from './assemble.ts';
import { replaceBareNumbers } from './bare-numbers.ts';

/** The reason to reject a text that is not JSON. */
export const NOT_JSON = 'it is not JSON, or breaks off';

/** An item, or the reason why nothing more can be read. */
export type StreamedItem = { readonly value: unknown } | { readonly reason: string };

// In UTF-8, none of these is a part of another character.
const BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Yields values in order; arrays and pages item by item. Rejects only if reading `bytes` fails. */
export async function* parseStream(
  bytes: ByteStream,
  formats: readonly ItemFormat[],
): AsyncGenerator<StreamedItem> {
  const parse = itemParser(formats);
  const nextEnd = objectEnds();
  const read = (all: Uint8Array, isEnd = false) => readObjects(all, { parse, nextEnd, isEnd });
  let parts: Uint8Array[] = [];
  let since = 0;
  for await (const part of bytes) {
    const end = part.lastIndexOf(BRACE) + 1;
    since += part.length;
    parts.push(part.subarray(0, end || part.length));
    if (end > 0) {
      for (const streamed of read(concatBytes(parts))) {
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
  yield* read(concatBytes(parts), true);
}

/**
 * Parses bytes that end at the end of an object. They are parsed object by object, so that a broken
 * object does not lose the objects before it.
 */
function* readObjects(
  bytes: Uint8Array,
  { parse, nextEnd, isEnd }: ObjectReader,
): Generator<StreamedItem, undefined> {
  for (let start = 0; start < bytes.length;) {
    const { end, isInString } = nextEnd(bytes, start);
    const part = bytes.subarray(start, end);
    const text = decodeUtf8Part(part);
    if (text === undefined) return void (yield { reason: notUtf8(part) });
    start = end;
    const { values, isBroken } = parse(replaceBareNumbers(text, isInString));
    for (const value of values) yield { value };
    if (isBroken) return void (yield { reason: NOT_JSON });
  }
  if (!isEnd) return undefined;
  const { values, isBroken } = parse(none); // a number can end here
  for (const value of values) yield { value };
  if (isBroken) yield { reason: NOT_JSON };
  return undefined;
}

interface ObjectReader {
  readonly parse: ItemParser;
  readonly nextEnd: ReturnType<typeof objectEnds>;
  readonly isEnd: boolean;
}

/**
 * Returns a function that finds the end of the next object in a part of a text, or the end of the part,
 * and whether the part begins within a string.
 * Braces within strings end no object: each call of the parser costs 1.7 µs. Parts must come in order.
 */
function objectEnds() {
  let isInString = false;
  let skip = 0; // a part can end between a backslash and the character after it
  // The positions found in the current part. A part without a backslash must not be searched for each object.
  let part: Uint8Array | undefined;
  let [brace, quote, backslash] = [-1, -1, -1];

  return (bytes: Uint8Array, start: number) => {
    const wasInString = isInString;
    return { end: endOf(bytes, start), isInString: wasInString };
  };

  function endOf(bytes: Uint8Array, start: number): number {
    const next = (byte: number, from: number) => {
      const found = bytes.indexOf(byte, from);
      return found === -1 ? bytes.length : found;
    };
    if (bytes !== part) {
      part = bytes;
      brace = quote = backslash = -1;
    }
    let at = start + skip;
    skip = 0;
    while (at < bytes.length) {
      if (quote < at) quote = next(QUOTE, at);
      if (isInString) {
        if (backslash < at) backslash = next(BACKSLASH, at);
        if (backslash < quote) at = backslash + 2;
        else {
          isInString = quote === bytes.length;
          at = Math.min(quote + 1, bytes.length);
        }
      } else {
        if (brace < at) brace = next(BRACE, at);
        if (brace < quote) return brace + 1;
        isInString = quote < bytes.length;
        at = Math.min(quote + 1, bytes.length);
      }
    }
    skip = at - bytes.length;
    return bytes.length;
  }
}

/** Returns the values that are now complete, and whether the text is broken. */
type ItemParser = (text: string | typeof none) => {
  readonly values: readonly unknown[];
  readonly isBroken: boolean;
};

function itemParser(formats: readonly ItemFormat[]): ItemParser {
  const tokenize = jsonParser({ jsonStreaming: true, streamValues: false });
  const assemble = createAssembler(formats);
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
