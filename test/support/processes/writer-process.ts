// A process that writes while a test reads.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

import { startProcess } from '../world/program.ts';
import type { World } from '../world/world.ts';

export interface Beside {
  /** The number of writes that are known to be committed. */
  readonly writes: number;
  /** Waits for a write that began after this call. */
  readonly more: () => Promise<void>;
  /** Stops the process. Resolves with its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts a process that writes to an account, and waits for its first write. */
export async function startBeside(
  t: TestContext,
  { database }: World,
  account: string,
): Promise<Beside> {
  const child = startProcess([database, account], {
    script: 'test/support/processes/writer-program.ts',
  });
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
