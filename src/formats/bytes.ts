// Bytes of a file on their way in: their beginning, their lines, and UTF-8 that is really so.

/** Bytes as they come from a file, a pipe or an archive. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The most that one item may have, in bytes: it is held whole. */
export const ITEM_BYTES = 64 * 1024 * 1024;

/** Why what has more is not read. */
export const TOO_LARGE = `it is larger than ${ITEM_BYTES / 1024 / 1024} MiB`;

/** Why bytes cannot be text. */
export const NOT_UTF8 = 'it is not UTF-8';

/** Why a text is not read that Windows wrote in two bytes a character. */
export const UTF16 = 'it is UTF-16; save it as UTF-8';

/** Tells UTF-16 by its byte order mark. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * Reads the beginning of bytes, and gives them whole again; `isAll` where there is no more. Who does
 * not read `whole` calls its `return`, which lets go of what the bytes come from.
 */
export async function peek(bytes: Bytes, least: number) {
  const source: AsyncIterator<Uint8Array, undefined> = bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  let isAll = false;
  while (length < least && !isAll) {
    const { value, done } = await source.next();
    if (done) isAll = true;
    else length += parts.push(value) && value.length;
  }
  const head = join(parts);
  let isBegun = false;
  const whole: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => whole,
    async next() {
      if (isBegun) return isAll ? { done: true, value: undefined } : source.next();
      isBegun = true;
      return { done: false, value: head };
    },
    // A generator that was never begun would not come by here, and the file would stay open.
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
  return { head, isAll, whole };
}

/** A line, or undefined for one that is too long to be held. */
export type Line = Uint8Array | undefined;

const NEWLINE = 0x0a;

/** Parts bytes at their newlines; the last line need not have one. */
export async function* linesOf(bytes: Bytes): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length <= ITEM_BYTES) parts.push(part);
    else parts = [];
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      keep(chunk.subarray(start, end));
      yield length <= ITEM_BYTES ? join(parts) : undefined;
      parts = [];
      length = 0;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield length <= ITEM_BYTES ? join(parts) : undefined;
}

/** Decodes UTF-8, without a byte order mark at its start; undefined where it is none. */
export function decode(bytes: Uint8Array): string | undefined {
  return decodeBy(strict, bytes);
}

/** Decodes what stands in the middle of a text, where a byte order mark is a character as any other. */
export function decodePart(bytes: Uint8Array): string | undefined {
  return decodeBy(exact, bytes);
}

const strict = new TextDecoder('utf-8', { fatal: true });
const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeBy(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Joins bytes; one part is given as it is. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
