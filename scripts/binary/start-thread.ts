// Replaces `src/cli/serve/jobs/start-thread.ts` in the executable: the jobs of a server are worked on by a process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { ThreadData, ThreadOrder } from '../../src/cli/serve/jobs/job.ts';
import type * as Package from '../../src/cli/serve/jobs/start-thread.ts';
import { workOn } from '../../src/cli/serve/jobs/work.ts';

/** The argument that makes the executable work on jobs. */
const WORD = 'work-on-jobs';

/**
 * Starts a process of the executable. Node 26.10 aborts a program from a snapshot when one of its threads opens a
 * socket ("Assertion failed: shutdown_wrap_template_.IsEmpty()").
 */
export const startThread: typeof Package.startThread = (data, onMessage) => {
  const child = spawn(process.execPath, [WORD], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  child.on('message', onMessage);
  child.on('error', () => {}); // it has ended as well
  child.send(data);
  const ended = async () => {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return code === 0 ? undefined : new Error(`The process has ended by ${signal ?? code}.`);
  };
  return {
    ended: ended().catch((error: unknown) => error),
    tell: (order) => void (child.connected && child.send(order)),
    kill: () => child.kill('SIGKILL'),
  };
};

/** Returns whether a server has started this process to work on its jobs. */
export function isWorkingOnJobs(): boolean {
  return process.argv[2] === WORD && process.send !== undefined;
}

/** Works on the jobs of the server that has started this process, until it stops or is gone. */
export async function workOnJobs(): Promise<void> {
  // A terminal sends them to the server as well, which then stops the jobs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const [data] = (await once(process, 'message')) as [ThreadData];
  const { tell, ended } = workOn(
    data,
    (message) => void (process.connected && process.send?.(message)),
  );
  process.on('message', (order: ThreadOrder) => tell(order));
  process.once('disconnect', () => tell('stop')); // the server is gone
  await ended;
  if (process.connected) process.disconnect?.();
}
