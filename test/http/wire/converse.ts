// Sends bytes over TCP in pieces of any size, and collects the responses until the server closes its side.

import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Splits bytes into pieces that are sent one by one. */
export type Cut = (bytes: Buffer) => readonly Buffer[];

export const whole: Cut = (bytes) => [bytes];

/** Byte by byte, or in 400 pieces if there are many bytes. */
export const single: Cut = (bytes) => {
  const step = Math.ceil(bytes.length / 400);
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
    bytes.subarray(i * step, (i + 1) * step),
  );
};

/** At up to eight places, chosen by the seed. */
export function scattered(seed: number): Cut {
  const random = xoroshiro128plus(seed);
  return (bytes) => {
    const places = Array.from({ length: uniformInt(random, 1, 8) }, () =>
      uniformInt(random, 0, bytes.length),
    ).toSorted((a, b) => a - b);
    const pieces = [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
    return pieces.filter((piece) => piece.length > 0);
  };
}

/** The bytes to send, and when to go on. */
export interface Talk {
  readonly pieces: readonly Buffer[];
  /**
   * The bytes to send after this many responses have begun. Absent if the server must close the
   * connection by itself.
   */
  readonly next?: { readonly answers: number; readonly bytes: string };
}

/**
 * Sends each piece in an event loop turn of its own, and reads to the end. Fails on a reset or
 * without an end.
 */
export async function converse(port: number, { pieces, next }: Talk): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let text = '';
  let isSaid = next === undefined;
  const { promise: end, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject);
  socket.on('end', resolve);
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1');
    if (isSaid || count(text) < (next?.answers ?? 0)) return;
    isSaid = true;
    socket.write(next?.bytes ?? '');
  });
  const late = new AbortController();
  const tooLate = sleep(20_000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no end after ${JSON.stringify(text.slice(-500))}`);
  });
  try {
    for (const piece of pieces) {
      socket.write(piece);
      await turn();
    }
    await Promise.race([end, tooLate]);
  } finally {
    tooLate.catch(() => {});
    late.abort();
    socket.destroy();
  }
  return text;
}

function count(text: string): number {
  return text.split(/HTTP\/1\.1 \d{3} /).length - 1;
}
