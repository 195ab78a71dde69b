// Text bytes: text that is collected as UTF-8 in one buffer outside V8's heap.

/** Text that grows at its end. Positions are in bytes. */
export interface TextBytes {
  /** Adds well-formed text, and returns the position behind it. */
  add(text: string): number;
  /** Returns the text between two positions that `add` has returned. 0 is the start. */
  slice(start: number, end: number): string;
  /** Returns the whole text and releases the memory. Nothing can be added afterwards. */
  take(): string;
  /** Releases the memory. */
  release(): void;
}

const KIB = 1024;
const SIZES = [64 * KIB, 1024 * KIB, 64 * 1024 * KIB];

/**
 * Returns how large a buffer that grows should be for a number of bytes. There are few sizes, because
 * pages that were never written take no memory. The allocator of glibc gives a buffer of more than
 * 32 MiB back to the system when it is released. After a smaller one, it holds on to twice as much.
 */
export function bufferSize(bytes: number): number {
  return SIZES.find((size) => size >= bytes) ?? 2 * bytes;
}

/**
 * Creates text without any. Millions of short strings would take several times the memory of their
 * text. V8 also lets as much garbage wait as there is live text, while this buffer moves when it
 * grows, and the old one is free at once.
 */
export function createTextBytes(): TextBytes {
  let bytes = Buffer.allocUnsafeSlow(bufferSize(0));
  let end = 0;

  function reserve(length: number): void {
    if (end + length <= bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(bufferSize(end + length)); // `transfer` would write all pages
    bytes.copy(longer, 0, 0, end);
    release();
    bytes = longer;
  }

  function release(): void {
    bytes.buffer.transfer(0);
  }

  return {
    add(text) {
      // To count takes longer than to reserve what the longest characters need.
      reserve(text.length < KIB ? 3 * text.length : Buffer.byteLength(text));
      return (end += bytes.write(text, end));
    },
    slice: (from, to) => bytes.toString('utf8', from, to),
    take() {
      const text = bytes.toString('utf8', 0, end);
      release();
      return text;
    },
    release,
  };
}
