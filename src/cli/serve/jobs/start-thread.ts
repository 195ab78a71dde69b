// Starts the thread that works on the jobs of a server. The executable uses `scripts/binary/start-thread.ts` instead.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { isSource, ownUrl } from '../../../files.ts';
import type { ThreadData, ThreadMessage, ThreadOrder } from './job.ts';

/** A thread that works on jobs. */
export interface JobsThread {
  /** Resolves when it has ended: with the error if it crashed. */
  readonly ended: Promise<unknown>;
  readonly tell: (order: ThreadOrder) => void;
  /** Ends it at once. */
  readonly kill: () => void;
}

/** The thread's first file: in a clone, and in the package. */
const FILE = isSource ? 'src/cli/serve/jobs/thread.ts' : 'dist/cli/thread.cjs';

/** Starts a thread. Calls back for each line of its log. */
export function startThread(
  workerData: ThreadData,
  onMessage: (message: ThreadMessage) => void,
): JobsThread {
  return threadOf(new Worker(new URL(ownUrl(FILE)), { workerData }), onMessage);
}

/** Returns a worker as a thread that works on jobs. */
export function threadOf(worker: Worker, onMessage: (message: ThreadMessage) => void): JobsThread {
  worker.on('message', onMessage);
  return {
    ended: endOf(worker),
    tell: (order) => worker.postMessage(order, []),
    kill: () => void worker.terminate(),
  };
}

async function endOf(worker: Worker): Promise<unknown> {
  try {
    const [code] = (await once(worker, 'exit')) as [number];
    return code === 0 ? undefined : new Error(`The thread has ended with exit code ${code}.`);
  } catch (error) {
    return error;
  }
}
