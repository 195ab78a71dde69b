// Groups the passages of a response by their memory, so that each memory has one head line.

import type { Passage } from '../../contract/schemas/passages.ts';
import type { MemoryPlace } from '../place.ts';

/** The passages of a memory in the order of its transcript, those of its name and summary first. */
export interface MemoryPassages {
  /** Where they are: with lines, if these are in one piece. */
  readonly place: MemoryPlace;
  readonly passages: readonly [Passage, ...Passage[]];
}

/** Returns the memories of passages, in the order of the best passage of each. */
export function byMemory(passages: readonly Passage[]): MemoryPassages[] {
  return [...Map.groupBy(passages, ({ memory_id }) => memory_id)].map(([memory_id, some]) => {
    const sorted = some.toSorted((a, b) => firstOf(a) - firstOf(b)) as [Passage, ...Passage[]];
    // Passages of a name or a summary have no lines.
    const ranges = sorted.map(({ lines }) => lines).filter(({ length }) => length > 0);
    const [[first] = [], [, last] = []] = [ranges[0], ranges.at(-1)];
    const isOnePiece = ranges.every(([from], i) => i === 0 || from === lastOf(ranges[i - 1]) + 1);
    const lines = first === undefined || last === undefined || !isOnePiece ? {} : { first, last };
    return { place: { memory_id, ...lines }, passages: sorted };
  });
}

function firstOf({ lines: [first = 0] }: Passage): number {
  return first;
}

function lastOf([, last = 0]: Passage['lines'] = []): number {
  return last;
}
