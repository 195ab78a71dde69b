// The random numbers of the fuzz test, from its seed and the number of the script.

import { hash } from 'node:crypto';

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A random number generator. */
export interface Dice {
  /** Returns a whole number from 0 to `sides` - 1. */
  (sides: number): number;
}

/** Creates the generator of a script. The same seed and number give the same sequence. */
export function createDice(seed: string, number: number): Dice {
  const digest = hash('sha256', `${seed} ${number}`, 'buffer');
  const generator = xoroshiro128plus(digest.readInt32LE());
  return (sides) => (sides > 1 ? uniformInt(generator, 0, sides - 1) : 0);
}

/** Picks an item of a list. */
export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[dice(list.length)] as T;
}

/** Returns true with the given probability, in thousandths. */
export function comes(dice: Dice, ofThousand: number): boolean {
  return dice(1000) < ofThousand;
}

/** Returns a number from 1 to `most` that is more often small than large. */
export function few(dice: Dice, most: number): number {
  return 1 + dice(1 + dice(most));
}
