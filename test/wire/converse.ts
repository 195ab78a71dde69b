// Conversations: bytes in pieces of any size over TCP, and all that came back until the server had ended its side.

import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Cuts bytes into the pieces that go out one by one. */
export type Cut = (bytes: Buffer) => readonly Buffer[];

export const whole: Cut = (bytes) => [bytes];

/** Byte by byte; of many bytes, in 400 pieces. */
export const single: Cut = (bytes) => {
  const step = Math.ceil(bytes.length / 400);
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
    bytes.subarray(i * step, (i + 1) * step),
  );
};

/** At up to eight places, which the seed decides. */
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

/** What is said, and when to go on. */
export interface Talk {
  readonly pieces: readonly Buffer[];
  /** What is sent when so many answers have begun to come; nothing where the server is to end by itself. */
  readonly next?: { readonly answers: number; readonly bytes: string };
}

/** Sends pieces, each in a turn of its own, and reads to the end. Fails where that is a reset, or does not come. */
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
