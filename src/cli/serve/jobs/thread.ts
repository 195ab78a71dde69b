// The first file of the thread that works on the jobs of a server.

import { parentPort, workerData } from 'node:worker_threads';

import type { ThreadData } from './job.ts';
import { workOn } from './work.ts';

async function main(): Promise<void> {
  const { tell, ended } = workOn(workerData as ThreadData, (message) =>
    parentPort?.postMessage(message, []),
  );
  parentPort?.on('message', tell);
  await ended;
  parentPort?.close();
}

void main();
