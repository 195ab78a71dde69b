// The soak: a server under load and written beside, for as long as one likes, and what it holds before and after.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { verifyFile } from '../../src/store/sqlite/verify.ts';
import { createDice } from '../fuzz/dice.ts';
import { writeBeside, type Beside } from './beside.ts';
import { createKeyring } from './keyring.ts';
import { createCounts, load, type Counts } from './load.ts';
import type { Material } from './question.ts';
import { makeScene } from './scene.ts';
import { serve, type Held, type Metrics, type Server } from './server.ts';
import type { Sample } from './trend.ts';
import { leaksOf, type Seen } from './verdict.ts';

/** What is to be tried. */
export interface Plan {
  readonly seed: string;
  readonly minutes: number;
  /** Where databases are made. */
  readonly folder: string;
  /** A module that the server loads first, which may have a fault. */
  readonly preload?: string | undefined;
  /** Hears from time to time how far it is. */
  readonly hear?: (now: Now) => void;
}

/** How far a soak is. */
export interface Now extends Metrics {
  readonly minutes: number;
  readonly requests: number;
  readonly writes: number;
}

/** What came of it. */
export interface Outcome extends Seen {
  readonly counts: Counts;
  /** How often was done what was done beside it. */
  readonly done: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
  /** The most that its event loop was late, in milliseconds, and the most its log of writes had. */
  readonly most: Pick<Metrics, 'lag' | 'wal'>;
  /** What is wrong, a sentence each. */
  readonly findings: readonly string[];
}

/** Until what is measured, the server has done everything a few times. */
const WARM_MINUTES = 0.1;
/** It is looked at so often for each time that somebody hears of it: memory goes up and down by the second. */
const LOOKS = 10;
const MINUTE = 60_000;

/** Makes the scene, serves it, and soaks it. */
export async function soak(plan: Plan): Promise<Outcome> {
  const scene = makeScene(join(plan.folder, 'soak.db'));
  const server = await serve(scene.database, plan.preload);
  const keyring = createKeyring();
  const beside = writeBeside(scene.database, plan.folder, keyring);
  const end = async (): Promise<void> => {
    await beside.stop();
    await server.stop(); // the last one empties the log of writes
  };
  const material = { scene, keyring, dice: createDice(plan.seed, 0), later: [] };
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

/** Puts load on the server for a time, and looks at it meanwhile. */
async function watch(ring: Ring, { minutes, hear }: Pick<Plan, 'minutes' | 'hear'>) {
  const { server, beside, material } = ring;
  const counts = createCounts();
  const memory: Sample[] = [];
  const most = { lag: 0, wal: 0 };
  const started = performance.now();
  const passed = () => (performance.now() - started) / MINUTE;
  const isOver = () =>
    passed() >= minutes || server.complaint() !== undefined || beside.complaint() !== undefined;

  const look = async (number: number): Promise<void> => {
    const now = await server.metrics();
    memory.push({ at: passed(), value: now.rss });
    most.lag = Math.max(most.lag, now.lag);
    most.wal = Math.max(most.wal, now.wal);
    const { requests } = counts;
    if (number % LOOKS === 0)
      hear?.({ ...now, minutes: passed(), requests, writes: beside.done()['writes'] ?? 0 });
  };
  const looks = async (): Promise<void> => {
    const between = Math.min(MINUTE, (minutes * MINUTE) / 10) / LOOKS;
    for (let number = 1; !isOver(); number++) {
      while (!isOver() && passed() * MINUTE < number * between) await sleep(100);
      // A server that has ended says so itself.
      await look(number).catch(() => {});
    }
  };
  await Promise.all([load({ material, port: server.port, counts, isOver }), looks()]);
  return { counts, memory, most, minutes };
}

/** Waits until the connections are gone, and tells what is held. */
async function settle(server: Server): Promise<Held> {
  for (let looks = 0; looks < 100 && server.complaint() === undefined; looks++) {
    if ((await server.metrics()).connections === 0) break;
    await sleep(100);
  }
  await sleep(500); // that of the last look is gone, too
  return server.held();
}
