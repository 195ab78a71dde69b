// Welch's t-test on pairs of measurements: whether two kinds of work take the same time.

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * The slowest measurements of each side are dropped, because garbage collection or another process
 * delayed them. The part was fixed in advance.
 */
const CROPPED = 0.1;

/** The usual bound for side channels: chance exceeds it once in 150,000 comparisons. */
const BOUND = 4.5;

/** The result of a comparison. */
export interface Compared {
  readonly t: number;
  /** How much longer the first side takes, in nanoseconds. */
  readonly difference: number;
  /** The smallest difference that the comparison would have detected, in nanoseconds. */
  readonly seen: number;
}

/** The settings of a comparison. */
export interface Comparison {
  readonly pairs: number;
  /** The number of samples on each side, each of them measured repeatedly. */
  readonly pool: number;
  readonly seed: number;
  /** Measures the `i`-th item of a side, in nanoseconds. */
  readonly one: (i: number) => Promise<number>;
  readonly other: (i: number) => Promise<number>;
}

/** Returns whether the two differ significantly. */
export function isToldApart({ t }: Compared): boolean {
  return Math.abs(t) > BOUND;
}

/** Measures the two sides in pairs, in random order, and compares their times. */
export async function compare({ pairs, pool, seed, one, other }: Comparison): Promise<Compared> {
  const random = xoroshiro128plus(seed);
  const sides = [one, other].map((measure) => ({ measure, times: new Float64Array(pairs) }));
  for (let n = -Math.ceil(pairs / 10); n < pairs; n++) {
    const first = uniformInt(random, 0, 1);
    const i = (n + pairs) % pairs; // negative numbers warm up, and their items are measured again
    // Both sides are called from one place in the code. With two places, one side was up to 100 ns
    // slower.
    for (const which of [first, 1 - first]) {
      const { measure, times } = sides[which] as (typeof sides)[number];
      times[i] = await measure(i % pool);
    }
  }
  const [a = [], b = []] = sides.map(({ times }) => meansOf(times, pool));
  return welch(a, b);
}

/**
 * Returns the mean time of each item of a side. The time of a key depends on its place in the
 * database, so repeated measurements are not independent. Counted separately, they made two pools
 * of the same kind look different (t = 6).
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
