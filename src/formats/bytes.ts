// Reads the bytes of a file: its first bytes, its lines, and strict UTF-8.

/** The bytes of a file, a pipe or an archive entry. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** The largest item, in bytes. An item is held in memory. */
export const ITEM_BYTES = 64 * 1024 * 1024;

/** The reason to reject a larger item. */
export const TOO_LARGE = `it is larger than ${ITEM_BYTES / 1024 / 1024} MiB`;

const CUT_OFF =
  'it ends within a character; export it again, or give its encoding, as with --encoding windows-1252';

const NOT_UTF8 =
  'it is not UTF-8, nor UTF-16 with a byte order mark; give its encoding, as with --encoding windows-1252';

/** Returns the reason to reject bytes that are not UTF-8: the end of a file that was cut off, or not text. */
export function notUtf8(bytes: Uint8Array): string {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return CUT_OFF;
  } catch {
    return NOT_UTF8;
  }
}

/** The reason to reject UTF-32. */
export const UTF32 = 'it is UTF-32; save it as UTF-8';

/** Whether bytes begin with the byte order mark of UTF-32. In UTF-16 they would begin a text with a NUL. */
export function isUtf32([a, b, c, d]: Uint8Array): boolean {
  return (
    (a === 0xff && b === 0xfe && c === 0 && d === 0) ||
    (a === 0 && b === 0 && c === 0xfe && d === 0xff)
  );
}

/** Returns the encoding of text in UTF-16, which Windows programs write, nearly always with a byte order mark. */
export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = head;
  if (isUtf32(head)) return undefined;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return unmarkedUtf16(head.subarray(0, 32));
}

/** Finds UTF-16 without a byte order mark: in Latin letters every second byte is zero, and no other. */
function unmarkedUtf16(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start.length < 8) return undefined;
  const isZeroAt = (rest: number) => start.every((byte, i) => (byte === 0) === (i % 2 === rest));
  return isZeroAt(1) ? 'utf-16le' : isZeroAt(0) ? 'utf-16be' : undefined;
}

/** Whether bytes begin with the byte order mark of UTF-8. */
export function hasUtf8Mark([a, b, c]: Uint8Array): boolean {
  return a === 0xef && b === 0xbb && c === 0xbf;
}

/** A byte that UTF-8 does not have. */
export const NO_UTF8 = Uint8Array.of(0xff);

/** A byte of UTF-8 that needs another one. */
const FIRST_OF_TWO = Uint8Array.of(0xc3);

/**
 * Converts text to UTF-8. Bytes that are invalid in the encoding become invalid UTF-8, which is rejected where
 * it is read. A text that is cut off within a character stays cut off.
 */
export async function* toUtf8(bytes: ByteStream, encoding: string): ByteStream {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  let isAll = false;
  try {
    for await (const part of bytes) yield encoder.encode(decoder.decode(part, { stream: true }));
    isAll = true;
    yield encoder.encode(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield isAll ? FIRST_OF_TWO : NO_UTF8;
  }
}

/**
 * Reads at least the first `least` bytes. `whole` yields all bytes from the start. `isAll` means that
 * `head` has all of them. If reading fails before, `whole` yields what there is and then throws. A caller
 * that does not read `whole` must call its `return` to close the file.
 */
export async function peek(bytes: ByteStream, least: number) {
  const source: AsyncIterator<Uint8Array, undefined> = bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  let isAll = false;
  let failed: { readonly error: unknown } | undefined;
  while (length < least && !isAll && failed === undefined) {
    try {
      const { value, done } = await source.next();
      if (done) isAll = true;
      else length += parts.push(value) && value.length;
    } catch (error) {
      if (length === 0) throw error;
      failed = { error };
    }
  }
  const head = concatBytes(parts);
  let isBegun = false;
  const whole: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => whole,
    async next() {
      if (isBegun && failed) throw failed.error;
      if (isBegun) return isAll ? { done: true, value: undefined } : source.next();
      isBegun = true;
      return { done: false, value: head };
    },
    // A generator that never started would skip its `finally`, and the file would stay open.
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
  return { head, isAll, whole };
}

/** Reads bytes of limited size into memory, or says why they are too many. Throws if they cannot be read to their end. */
export async function readAllBytes(bytes: ByteStream) {
  const { head, isAll, whole } = await peek(bytes, ITEM_BYTES + 1);
  if (!isAll && head.length <= ITEM_BYTES) await readToFailure(whole);
  return { bytes: head, reason: isAll ? undefined : TOO_LARGE };
}

/** Reads bytes that are known to fail, for the error. */
async function readToFailure(bytes: ByteStream): Promise<void> {
  for await (const _ of bytes);
}

/** The bytes of a line, or `undefined` if the line is longer than `ITEM_BYTES`. */
export type LineBytes = Uint8Array | undefined;

const NEWLINE = 0x0a;

/** Splits bytes into lines. The last line needs no newline. */
export async function* splitLines(bytes: ByteStream): AsyncGenerator<LineBytes> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const append = (part: Uint8Array) => {
    length += part.length;
    if (length <= ITEM_BYTES) parts.push(part);
    else parts = [];
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      append(chunk.subarray(start, end));
      yield length <= ITEM_BYTES ? concatBytes(parts) : undefined;
      parts = [];
      length = 0;
    }
    append(chunk.subarray(start));
  }
  if (length > 0) yield length <= ITEM_BYTES ? concatBytes(parts) : undefined;
}

/** Decodes UTF-8 and drops a byte order mark. Returns `undefined` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decodeBy(withoutMark, bytes);
}

/** Decodes a later part of a text, where a byte order mark is an ordinary character. */
export function decodeUtf8Part(bytes: Uint8Array): string | undefined {
  return decodeBy(withMark, bytes);
}

const withoutMark = new TextDecoder('utf-8', { fatal: true });
const withMark = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeBy(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Concatenates bytes. A single part is returned without a copy. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
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
