// Supervised: a listening socket that a supervisor keeps, and serve on it, one process after the other or several at once.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { TestContext } from 'node:test';

import { PROGRAM_WORDS, start, waitFor } from './program.ts';

export interface Keeper {
  readonly child: ChildProcessWithoutNullStreams;
  /** 0 of a Unix socket. */
  readonly port: number;
  /** Starts serve on the socket; returns its process id when it listens. */
  readonly serve: (...args: string[]) => Promise<number>;
}

/** Starts a supervisor that runs until the test ends, and what it has started with it; its socket is one of `path`, or of a port. */
export async function startKeeper(t: TestContext, path?: string): Promise<Keeper> {
  const child = start(path === undefined ? [] : [path], {
    script: 'test/support/keeper.ts',
    env: { NODE_V8_COVERAGE: '' },
  });
  child.setMaxListeners(0).stdout.setMaxListeners(0); // two more for each program that is waited for
  t.after(() => child.kill('SIGKILL'));
  const port = Number(/port (\d+)/.exec(await waitFor(child, 'stdout', /port \d+\n/))?.[1]);
  const serve = async (...args: string[]) => {
    const said = waitFor(child, 'stdout', /"listening"/);
    const started = waitFor(child, 'stdout', /started \d+\n/);
    child.stdin.write(`${JSON.stringify([...PROGRAM_WORDS, 'serve', ...args])}\n`);
    const pid = Number(/started (\d+)/.exec(await started)?.[1]);
    t.after(() => kill(pid, 'SIGKILL'));
    await said;
    return pid;
  };
  return { child, port, serve };
}

/** Signals a process that may be gone. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
