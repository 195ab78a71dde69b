// Serve processes on a listening socket that a supervisor owns, one after another or several at once.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { TestContext } from 'node:test';

import { PROGRAM_WORDS, startProcess, waitFor } from '../world/program.ts';

export interface Keeper {
  readonly child: ChildProcessWithoutNullStreams;
  /** 0 for a Unix socket. */
  readonly port: number;
  /** Starts serve on the socket. Resolves with its process id when it is ready. */
  readonly serve: (...args: string[]) => Promise<number>;
}

/**
 * Starts a supervisor with a socket, at `path` or on a free port. It stops with all its programs
 * when the test ends.
 */
export async function startKeeper(t: TestContext, path?: string): Promise<Keeper> {
  const child = startProcess(path === undefined ? [] : [path], {
    script: 'test/support/processes/socket-supervisor.ts',
    env: { NODE_V8_COVERAGE: '' },
  });
  child.setMaxListeners(0).stdout.setMaxListeners(0); // two more listeners for each program
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

/** Signals a process that may have ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
