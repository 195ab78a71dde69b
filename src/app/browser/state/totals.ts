// How many memories some days have, how long these are together, and how long somebody speaks, in words.

import { lengthOf } from '../../../text/length.ts';
import { countedMemories } from '../format.ts';
import { sumOf, type DayCount } from './list/layout.ts';

/**
 * Returns the totals of days, such as "3 memories, 2 h", or "at least 2 h" if the length of some is not known. There is
 * no length if most memories are of days with such ones: it would be of a few only.
 */
export function totalsOf(days: readonly Omit<DayCount, 'date'>[]): string {
  const { memories, seconds } = sumOf(days);
  if (memories === 0) return 'no memories';
  const unsure = sumOf(days.filter((day) => day.isOpen)).memories;
  const length = unsure > memories / 2 ? '' : lengthOf(seconds);
  const told = length && unsure > 0 ? `at least ${length}` : length;
  return [countedMemories(memories), told].filter(Boolean).join(', ');
}

/** The most words that somebody says in a second, if all lines have times. People say 2 or 3. */
const MOST_WORDS = 6;

/** Returns how long somebody speaks who says some words. Empty if few of the lines have times, because only those are added up. */
export function spokenFor(words: number, ms: number | null): string {
  const seconds = Math.round((ms ?? 0) / 1000);
  return words > seconds * MOST_WORDS ? '' : lengthOf(seconds);
}
