// Pace: readers that take their answer too slowly are cut, as each of them holds a connection and a part of a list.

/**
 * A reader has the time of the limit for so many bytes. Fewer cannot be watched: what the system has
 * taken has left as far as we see, and it takes more only when a third of its own buffer is free again,
 * which may be 1.4 MB (Linux, tcp_wmem).
 */
export const PACE_BYTES = 2 * 1024 * 1024;

/** How far the reader of a connection is. */
export interface Pace {
  /** How many bytes had been taken at the last look. */
  taken: number;
  /** How much time it has left, in milliseconds. */
  credit: number;
}

/** What a look at a connection finds. */
export interface Seen {
  /** Bytes that were taken since it was opened: a write counts when all of it has left. */
  readonly taken: number;
  /** Whether bytes wait for the reader; else it is us who are slow. */
  readonly isWaiting: boolean;
  /** How long ago the last look was, in milliseconds. */
  readonly elapsed: number;
}

/** Begins to watch a reader. */
export function createPace(sendMs: number): Pace {
  return { taken: 0, credit: sendMs };
}

/**
 * Takes note of how far a reader has come, and tells whether it is too slow: it has `sendMs` to begin
 * with, loses what passes while bytes wait, and gains what it takes, so that it may stall for `sendMs`
 * but not be slower than `PACE_BYTES` in `sendMs` for longer. Where nothing waits for it, it has kept up.
 */
export function isTooSlow(
  pace: Pace,
  { taken, isWaiting, elapsed }: Seen,
  sendMs: number,
): boolean {
  const gained = ((taken - pace.taken) / PACE_BYTES) * sendMs;
  pace.taken = taken;
  pace.credit = isWaiting ? Math.min(pace.credit + gained - elapsed, sendMs) : sendMs;
  return pace.credit < 0;
}

/** What is written at a time, as a write counts when all of it has left. */
const PIECE_BYTES = 128 * 1024;

/** Tells whether bytes are more than is written at a time. */
export function isLong({ length }: Uint8Array): boolean {
  return length > 2 * PIECE_BYTES;
}

/** Parts bytes into what is written at a time: equal pieces of some 128 KiB. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const count = Math.max(1, Math.round(bytes.length / PIECE_BYTES));
  const size = Math.ceil(bytes.length / count);
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}
