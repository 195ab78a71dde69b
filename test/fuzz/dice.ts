// Dice: all that is left to chance in a fuzz, out of its seed and the number of a script.

import { hash } from 'node:crypto';

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Throws dice. */
export interface Dice {
  /** A whole number from 0 up to, and without, `sides`. */
  (sides: number): number;
}

/** Makes the dice of a script: the same seed and number, the same throws. */
export function createDice(seed: string, number: number): Dice {
  const digest = hash('sha256', `${seed} ${number}`, 'buffer');
  const generator = xoroshiro128plus(digest.readInt32LE());
  return (sides) => (sides > 1 ? uniformInt(generator, 0, sides - 1) : 0);
}

/** Takes one of a list. */
export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[dice(list.length)] as T;
}

/** Whether it comes, where it comes so many times of a thousand. */
export function comes(dice: Dice, ofThousand: number): boolean {
  return dice(1000) < ofThousand;
}

/** A number that is small more often than it is large. */
export function few(dice: Dice, most: number): number {
  return 1 + dice(1 + dice(most));
}
