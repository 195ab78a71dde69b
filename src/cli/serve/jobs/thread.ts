// The first file of the thread that works on the jobs of a server.

import { parentPort, workerData } from 'node:worker_threads';

import type { ThreadData } from './job.ts';
import { workOn } from './work.ts';

const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());

async function main(): Promise<void> {
  await workOn({
    ...(workerData as ThreadData),
    send: (message) => parentPort?.postMessage(message, []),
    stopping: stopping.signal,
  });
  parentPort?.close();
}

void main();
