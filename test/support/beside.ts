// Beside: another process that writes while a test reads.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

import { start } from './program.ts';
import type { World } from './world.ts';

export interface Beside {
  /** How many writes are known to be done. */
  readonly writes: number;
  /** Waits until it has written after this call. */
  readonly more: () => Promise<void>;
  /** Ends it; returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts a process that writes to an account, and waits until it does. */
export async function startBeside(
  t: TestContext,
  { database }: World,
  account: string,
): Promise<Beside> {
  const child = start([database, account], { script: 'test/support/busy.ts' });
  t.after(() => child.kill());
  child.stderr.pipe(process.stderr);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout });
  const state = { writes: 0, asked: 0, wrote: -1 };
  lines.on('line', (line) => {
    const [writes, word] = line.split(' ');
    state.writes = Number(writes);
    state.wrote = Number(word);
  });

  async function more(): Promise<void> {
    const word = ++state.asked;
    child.stdin.write(`${word}\n`);
    while (state.wrote < word) await Promise.race([once(lines, 'line'), failAtEnd()]);
  }

  async function failAtEnd(): Promise<never> {
    const [code] = await closed;
    throw new Error(`the writer ended with ${code}`);
  }

  async function end(): Promise<number | null> {
    child.stdin.end();
    const [code] = await closed;
    return code;
  }

  await more();
  return {
    get writes() {
      return state.writes;
    },
    more,
    end,
  };
}
