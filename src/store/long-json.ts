// Serialises values with long texts piece by piece, without the whole JSON as a string.

import { toJson, type Json } from '../contract/json.ts';
import { isLeadSurrogate } from '../text/surrogates.ts';

/** Texts from this length on are written in pieces of it. */
const PIECE = 32 * 1024;

/**
 * Serialises a validated object as `toJson` does. With a transcript of 33 MB that took 65 MB more, and
 * twice as much with a single character beyond Latin-1.
 */
export function toLongJson<T extends object>(value: T): Json<T> {
  const texts = Object.values(value) as unknown[];
  if (!texts.some(isLong)) return toJson(value);
  let size = 0;
  for (const piece of piecesOf(value)) size += Buffer.byteLength(piece);
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (const piece of piecesOf(value)) end += bytes.write(piece, end);
  return bytes as Uint8Array<ArrayBuffer> as Json<T>;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > PIECE;
}

/** Yields the JSON of an object. A long text is not cut within a character, because half of one would become an escape. */
function* piecesOf(value: object): Generator<string> {
  let before = '{';
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    if (each === undefined) continue;
    const key = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!isLong(each)) {
      yield key + JSON.stringify(each);
      continue;
    }
    yield `${key}"`;
    for (let from = 0; from < each.length;) {
      const to = from + PIECE - Number(isLeadSurrogate(each.charCodeAt(from + PIECE - 1)));
      yield JSON.stringify(each.slice(from, to)).slice(1, -1);
      from = to;
    }
    yield '"';
  }
  yield '}';
}
