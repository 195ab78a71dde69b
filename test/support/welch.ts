// Welch: whether two kinds of things take the same time, by many pairs of measurements and Welch's t-test.

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The slowest of each side are left out: a collection of garbage, or another process, came between. Fixed beforehand. */
const CROPPED = 0.1;

/** The bound that is usual for side channels: chance goes beyond it once in 150,000 comparisons. */
const BOUND = 4.5;

/** What came of a comparison. */
export interface Compared {
  readonly t: number;
  /** How much longer the first takes, in nanoseconds. */
  readonly difference: number;
  /** From where on a difference would have been seen. */
  readonly seen: number;
}

/** How a comparison is made. */
export interface Comparison {
  readonly pairs: number;
  /** So many there are of each side, each of them measured again and again. */
  readonly pool: number;
  readonly seed: number;
  /** Measure the `i`-th of a side, in nanoseconds. */
  readonly one: (i: number) => Promise<number>;
  readonly other: (i: number) => Promise<number>;
}

/** Tells whether the two were told apart. */
export function isToldApart({ t }: Compared): boolean {
  return Math.abs(t) > BOUND;
}

/** Compares the times of two sides, one of each in turn, which comes first being drawn by lot. */
export async function compare({ pairs, pool, seed, one, other }: Comparison): Promise<Compared> {
  const random = xoroshiro128plus(seed);
  const sides = [one, other].map((measure) => ({ measure, times: new Float64Array(pairs) }));
  for (let n = -Math.ceil(pairs / 10); n < pairs; n++) {
    const first = uniformInt(random, 0, 1);
    const i = (n + pairs) % pairs; // what comes before 0 warms up, and is measured again
    // Both from one place in the code: the side that was called from two came out up to 100 ns slower.
    for (const which of [first, 1 - first]) {
      const { measure, times } = sides[which] as (typeof sides)[number];
      times[i] = await measure(i % pool);
    }
  }
  const [a = [], b = []] = sides.map(({ times }) => meansOf(times, pool));
  return welch(a, b);
}

/**
 * The mean time of each of a side. A key has its place in the database, and so a time of its own: its
 * measurements are not independent, and taken for that they told two pools of one kind apart (t = 6).
 */
function meansOf(times: Float64Array, pool: number): number[] {
  const bound = times.toSorted()[Math.floor(times.length * (1 - CROPPED))] as number;
  const sums = Array.from({ length: pool }, () => ({ sum: 0, count: 0 }));
  for (const [i, time] of times.entries()) {
    if (time >= bound) continue;
    const of = sums[i % pool] as { sum: number; count: number };
    of.sum += time;
    of.count++;
  }
  return sums.filter(({ count }) => count > 0).map(({ sum, count }) => sum / count);
}

function welch(one: readonly number[], other: readonly number[]): Compared {
  const [a, b] = [describe(one), describe(other)];
  const error = Math.sqrt(a.variance / one.length + b.variance / other.length);
  const difference = a.mean - b.mean;
  return { t: difference / error, difference, seen: BOUND * error };
}

function describe(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}
