// Plays many random histories of a feed, each by a seed of its own, and reports what they had.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import { tell } from '../damage/trial.ts';
import { randomBy } from '../world/random.ts';
import { sized } from '../world/thorough.ts';
import { createCounts, playHistory, type Counts, type Scene } from './feed-history.ts';

/** Runs work on a new account. */
type WithScene = <T>(work: (scene: Scene) => Promise<T>) => Promise<T>;

/** The parts of a trial, each a test, because a test has a time limit. */
export const PARTS: readonly number[] = Array.from({ length: sized(8, 1) }, (_, i) => i + 1);

/** The histories of a part: 2,000 in all. */
const HISTORIES = sized(250, 50);

interface Play {
  readonly withScene: WithScene;
  /** How many are played at the same time. Default: 1. */
  readonly lanes?: number;
}

/**
 * Plays histories. The seed of the first is random, and each has the seed after it. With SEED=N in the
 * environment only the history of that seed is played. Rejects with what the first failed history rejects
 * with.
 */
export async function playHistories(t: TestContext, { withScene, lanes = 1 }: Play): Promise<void> {
  const { SEED } = process.env;
  const first = Number(SEED ?? Date.now() % 2 ** 31);
  let seeds = Array.from({ length: SEED === undefined ? HISTORIES : 1 }, (_, i) => first + i);
  const sum = createCounts();
  const played = seeds.length;
  const failures: unknown[] = [];

  async function playNext(seed: number): Promise<void> {
    try {
      const counts = await withScene((scene) => playHistory(scene, randomBy(seed)));
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    } catch (error) {
      seeds = []; // histories that run at the same time come to their end
      t.diagnostic(`the history of seed ${seed} failed; SEED=${seed} plays it again`);
      failures.push(error);
    }
  }
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) await playNext(seed);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failures.length > 0) throw failures[0];
  tell(t, { 'first seed': first, histories: played, ...sum });
  if (SEED !== undefined) return; // a single history need not have everything
  const { restores, resets, restarts } = sum;
  assert.ok(restores > played / 2 && resets > played / 5 && restarts > played / 5);
}
