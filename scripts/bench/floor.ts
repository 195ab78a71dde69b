// Finds the way of sending the same bytes that costs a bare server least. It is the baseline.

import { join } from 'node:path';

import { asking, bare, ours, targetOf, VARIANTS, type Variant } from './contestants.ts';
import type { Data } from './data.ts';
import { askOnce } from './load-measurements.ts';
import { runRounds, type Pace } from './rounds.ts';
import { spreadOf } from './stats.ts';

/** Tries all ways with one memory. */
export async function findFloor(data: Data, pace: Pace, folder: string): Promise<Variant> {
  const request = asking(data, targetOf({ memory_id: data.ids(1)[0] ?? '' }));
  const expected = await askOnce(ours(data), request);
  const rounds = Math.ceil(pace.rounds / 2);
  const contestants = VARIANTS.map((variant, i) => ({
    ...bare(expected, { note: join(folder, `floor-${i}.json`), variant }),
    request,
  }));
  const measured = await runRounds(contestants, {
    pace: { ...pace, rounds },
    connections: 16,
    expected,
  });
  const costs = measured.map(
    ({ samples }) => spreadOf(samples.map(({ cpuUs = Number.NaN }) => cpuUs)).median,
  );
  return VARIANTS[costs.indexOf(Math.min(...costs))] ?? VARIANTS[0];
}
