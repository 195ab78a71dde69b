// Sends the bytes of a script on a connection, in its pieces, and collects the responses.

import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import type { Came } from './judge.ts';
import type { Script } from './script.ts';

/** Longer than any timeout of the server, so that only a hanging server reaches it. */
const PATIENCE_MS = 20_000;

/** Sends a script and waits for the connection to end. Rejects if it cannot connect. */
export function send(port: number, { parts, cuts, ending }: Script): Promise<Came> {
  const { promise, resolve, reject } = Promise.withResolvers<Came>();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const came: Buffer[] = [];
  const began = performance.now();
  let isOpen = false;
  let sentMs: number | undefined;
  const finish = (end: Came['end']): void => {
    clearTimeout(patience);
    resolve({ bytes: Buffer.concat(came), end, ms: performance.now() - began, sentMs });
    socket.destroy();
  };
  const patience = setTimeout(() => finish('hung'), PATIENCE_MS);
  socket.on('data', (part: Buffer) => came.push(part));
  socket.on('end', () => finish('closed'));
  socket.on('close', () => finish(ending === 'reset' ? 'cut' : 'closed'));
  socket.on('error', (error) => {
    if (isOpen) finish(ending === 'reset' ? 'cut' : 'reset');
    else reject(error);
  });
  socket.on('connect', () => {
    isOpen = true;
    void write();
  });
  return promise;

  async function write(): Promise<void> {
    // A busy machine may connect long before this runs, so that the server has given up. A write on the
    // connection that it has closed would lose its response: the first turn begins to read, the second reads.
    await turn();
    await turn();
    const bytes = Buffer.from(parts.map((part) => part.bytes).join(''), 'latin1');
    const ends = [...cuts, bytes.length];
    for (const [i, end] of ends.entries()) {
      socket.write(bytes.subarray(ends[i - 1] ?? 0, end));
      if (i < cuts.length) await turn();
    }
    sentMs = performance.now() - began;
    if (ending === 'close') socket.end();
    if (ending !== 'reset') return;
    await turn();
    socket.resetAndDestroy();
  }
}
