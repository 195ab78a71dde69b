// Bytes: put behind each other, and their memory handed back when they are used up.

type Bytes = Uint8Array<ArrayBuffer>;

/** How many bytes of memories are read in one go, where all of them are. */
export const BATCH_BYTES = 256 * 1024;

/** Bytes, or text that becomes bytes. */
type Part = Bytes | string;

/**
 * Puts parts behind each other, with commas between, in memory of exactly their size: text is made bytes
 * there and nowhere else, as V8 looks after each buffer, and through its whole heap each time that some
 * 64 MB of them were made.
 */
export function join(parts: readonly Part[], before = '', after = ''): Bytes {
  const commas = Math.max(parts.length - 1, 0);
  const size = parts.reduce((sum, part) => sum + sizeOf(part), commas);
  const joined = Buffer.allocUnsafeSlow(before.length + size + after.length);
  let end = joined.write(before);
  for (const [i, part] of parts.entries()) {
    if (i > 0) end += joined.write(',', end);
    if (typeof part === 'string') end += joined.write(part, end);
    else {
      joined.set(part, end);
      end += part.length;
    }
  }
  joined.write(after, end);
  return joined;
}

/** How many bytes a part is. */
export function sizeOf(part: Part): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : part.length;
}

/**
 * Hands back the memory of bytes that nobody uses any more; they are empty then. V8 collects young
 * buffers only when there are some 64 MB of them, however few are in use: a list of 1 GB took
 * 100 MB more, and a third more time, as all of them lie in pages fresh from the system.
 */
export function release({ buffer, byteLength }: Bytes): void {
  // Short ones may lie in a pool with others.
  if (buffer.byteLength === byteLength && byteLength > 0) buffer.transfer(0);
}
