// Random numbers from a seed: for the keys of the fuzz test, and for the soak test.

import { hash } from 'node:crypto';

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A random number generator. */
export interface Dice {
  /** Returns a whole number from 0 to `sides` - 1. */
  (sides: number): number;
}

/** Creates a generator. The same seed and number give the same sequence. */
export function createDice(seed: string, number: number): Dice {
  const digest = hash('sha256', `${seed} ${number}`, 'buffer');
  const generator = xoroshiro128plus(digest.readInt32LE());
  return (sides) => (sides > 1 ? uniformInt(generator, 0, sides - 1) : 0);
}

/** Picks an item of a list. */
export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[dice(list.length)] as T;
}
