// How many memories some days have, and how long these are together, in words.

import { countedMemories, lengthOf } from '../format.ts';
import { sumOf, type DayCount } from './list/layout.ts';

/** Returns the totals of days, such as "3 memories, 2 h", or "at least 2 h" if the length of some is not known. */
export function totalsOf(days: readonly Omit<DayCount, 'date'>[]): string {
  const { memories, seconds } = sumOf(days);
  if (memories === 0) return 'no memories';
  const length = lengthOf(seconds);
  const isOpen = length !== '' && days.some((day) => day.isOpen);
  return [countedMemories(memories), isOpen ? `at least ${length}` : length]
    .filter(Boolean)
    .join(', ');
}
