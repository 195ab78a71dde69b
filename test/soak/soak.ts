// The soak test: a server under load and writes, with its resources before and after.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { createDice } from '../fuzz/random.ts';
import { makeScene } from './accounts.ts';
import type { Material } from './checked-request.ts';
import { createKeyring } from './keyring.ts';
import { createCounts, load, type Counts } from './load.ts';
import { serve, type Held, type Metrics, type Server } from './server.ts';
import type { Sample } from './trend.ts';
import { leaksOf, type Seen } from './verdict.ts';
import { writeBeside, type Beside } from './writer-process.ts';

/** The settings of a soak test. */
export interface Plan {
  readonly seed: string;
  readonly minutes: number;
  /** How many requests are made at least, however long a busy machine takes for them. */
  readonly requests?: number;
  /** The folder for databases. */
  readonly folder: string;
  /** A module that the server loads first. It may plant a fault. */
  readonly preload?: string | undefined;
}

/** The result of a soak test. */
export interface Outcome extends Seen {
  readonly counts: Counts;
  /** How many writes of each kind were made during the test. */
  readonly done: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
  /** The longest event loop delay, in milliseconds, and the largest size of the write-ahead log. */
  readonly most: Pick<Metrics, 'lag' | 'wal'>;
  /** The findings, one sentence each. */
  readonly findings: readonly string[];
}

/** The first measurement comes after each kind of request was handled a few times. */
const WARM_MINUTES = 0.1;
/** Samples in a tenth of the time, or in a minute. Memory goes up and down within seconds, so one sample is not enough. */
const LOOKS = 10;
const MINUTE = 60_000;

/** Creates the database, serves it, and runs the soak test. */
export async function soak(plan: Plan): Promise<Outcome> {
  const scene = makeScene(join(plan.folder, 'soak.db'));
  const server = await serve(scene.database, plan.preload);
  const keyring = createKeyring();
  const beside = writeBeside(scene.database, plan.folder, keyring);
  const end = async (): Promise<void> => {
    await beside.stop();
    await server.stop(); // the last connection that closes empties the write-ahead log
  };
  const { done } = beside;
  const material = { scene, keyring, done, dice: createDice(plan.seed, 0), later: [] };
  const ring = { server, beside, material };
  try {
    const warm = await watch(ring, { minutes: Math.min(WARM_MINUTES, plan.minutes) });
    const before = await settle(server);
    const watched = await watch(ring, plan);
    const after = await settle(server);
    await end();
    const seen = { ...watched, before, after };
    const verified = await verifyFile(scene.database);
    const findings = [
      ...warm.counts.wrong,
      ...watched.counts.wrong,
      ...[server.complaint(), beside.complaint()].filter((each) => each !== undefined),
      ...leaksOf(seen),
      ...verified.findings.map((finding) => `the database: ${JSON.stringify(finding)}`),
    ];
    return { ...seen, done: beside.done(), findings };
  } finally {
    await end();
  }
}

interface Ring {
  readonly server: Server;
  readonly beside: Beside;
  readonly material: Material;
}

/** Puts load on the server for some time and takes samples. */
async function watch(ring: Ring, { minutes, requests = 0 }: Pick<Plan, 'minutes' | 'requests'>) {
  const { server, beside, material } = ring;
  const counts = createCounts();
  const memory: Sample[] = [];
  const most = { lag: 0, wal: 0 };
  const started = performance.now();
  const passed = () => (performance.now() - started) / MINUTE;
  const isOver = () =>
    (passed() >= minutes && counts.requests >= requests) ||
    server.complaint() !== undefined ||
    beside.complaint() !== undefined;

  const look = async (): Promise<void> => {
    const now = await server.metrics();
    memory.push({ at: passed(), value: now.rss });
    most.lag = Math.max(most.lag, now.lag);
    most.wal = Math.max(most.wal, now.wal);
  };
  const looks = async (): Promise<void> => {
    const between = Math.min(MINUTE, (minutes * MINUTE) / 10) / LOOKS;
    for (let number = 1; !isOver(); number++) {
      while (!isOver() && passed() * MINUTE < number * between) await sleep(100);
      // The server's own complaint covers a process that has ended, and the verdict one without samples.
      await look().catch(() => {});
    }
  };
  await Promise.all([load({ material, port: server.port, counts, isOver }), looks()]);
  return { counts, memory, most, minutes };
}

/** Waits until the connections are closed, and returns the resources. */
async function settle(server: Server): Promise<Held> {
  for (let looks = 0; looks < 100 && server.complaint() === undefined; looks++) {
    if ((await server.metrics()).connections === 0) break;
    await sleep(100);
  }
  await sleep(500); // the connection of the last metrics request is closed, too
  return server.held();
}
