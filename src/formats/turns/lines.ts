// Lines: splits a text, whatever ends its lines.

import {
  concatBytes,
  decodeUtf8,
  decodeUtf8Part,
  ITEM_BYTES,
  notUtf8,
  TOO_LARGE,
  type ByteStream,
} from '../bytes.ts';

/** Splits a text into lines, whatever ends them. A missing text has none. */
export function linesOf(text: string | null | undefined): string[] {
  return text?.split(/\r\n|[\n\r]/) ?? [];
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Yields the lines of a text, some at a time, or the reason why it cannot be read: it is too large, or
 * not UTF-8. Drops a byte order mark.
 */
export async function* streamLines(
  bytes: ByteStream,
): AsyncGenerator<readonly string[] | { readonly reason: string }, undefined> {
  let decode = decodeUtf8;
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > ITEM_BYTES) return void (yield { reason: TOO_LARGE });
    for (let from = 0; from < chunk.length; from += STEP) {
      const some = chunk.subarray(from, from + STEP);
      const end = endOfLines(some);
      parts.push(some.subarray(0, end || some.length));
      if (end === 0) continue;
      const whole = concatBytes(parts);
      const text = decode(whole);
      if (text === undefined) return void (yield { reason: notUtf8(whole) });
      yield linesOf(text).slice(0, -1);
      decode = decodeUtf8Part;
      parts = [some.subarray(end)];
    }
  }
  const rest = concatBytes(parts);
  const text = decode(rest);
  yield text === undefined ? { reason: notUtf8(rest) } : linesOf(text);
  return undefined;
}

/** How many bytes are split at a time. V8's space for new objects grows with what is alive between collections. */
const STEP = 16 * 1024;

/** Returns the position behind the last line that ends in a chunk, or 0. A newline can follow a final carriage return. */
function endOfLines(chunk: Uint8Array): number {
  return Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR, -2)) + 1;
}
