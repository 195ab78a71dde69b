// A client in a thread of its own, which measures its response times while other code keeps this process busy.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { openLine } from '../wire/open-connection.ts';

/** What the client requests: a memory `m001`, one request after the other, for some milliseconds. */
export interface Measuring {
  readonly port: number;
  readonly key: string;
  readonly ms: number;
}

/** Returns the 99th percentile of the response times, in milliseconds. */
export async function measure(measuring: Measuring): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: measuring });
  const [p99] = (await once(worker, 'message')) as [number];
  return p99;
}

async function run({ port, key, ms }: Measuring): Promise<number> {
  const line = await openLine(port);
  const times: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const start = performance.now();
    assert.equal((await line.ask(key, '/v1/memories/m001')).status, 200);
    times.push(performance.now() - start);
    await sleep(2);
  }
  line.end();
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] as number;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
if (!isMainThread) parentPort?.postMessage(await run(workerData as Measuring));
