// The verdict: what is wrong with a soak that is over.

import { megabytes, type Gauges } from '../support/gauge.ts';
import { riseOf, type Sample } from './trend.ts';

/** What was seen of a server. */
export interface Seen {
  readonly before: Gauges;
  readonly after: Gauges;
  /** Its memory from time to time, in minutes and bytes. */
  readonly memory: readonly Sample[];
  readonly minutes: number;
}

/** Of a soak that is shorter, memory is told and not judged: the heap is still finding its size. */
export const JUDGED_MINUTES = 5;

/**
 * What memory may rise in the second half, by its trend. The collector lets memory go up and down by
 * some tens of megabytes, whatever the time; what is kept of each request by mistake adds up with it:
 * in half an hour at 500 requests a second, 64 bytes of each are more than this.
 */
const MOST_RISE = 56e6;

/** What the heap may have grown when its garbage is collected: its caches, of 4 MB, and code. */
const MOST_HEAP = 12e6;

/** Files that are opened when they are first needed, and timers that happen to run. */
const MOST_MORE = 2;

/** Says what leaks, a sentence each. */
export function leaksOf({ before, after, memory, minutes }: Seen): string[] {
  const rise = riseOf(secondHalf(memory));
  const heap = after.heap - before.heap;
  const files = after.fds - before.fds;
  const handles = after.handles - before.handles;
  return [
    files > MOST_MORE && `it has ${files} files open more than at the beginning`,
    handles > MOST_MORE && `it has ${handles} handles more than at the beginning`,
    heap > MOST_HEAP && `its heap has grown by ${megabytes(heap)}`,
    minutes >= JUDGED_MINUTES &&
      rise > MOST_RISE &&
      `its memory has grown by ${megabytes(rise)} in the second half`,
  ].filter((leak) => leak !== false);
}

/** The samples of the second half. */
export function secondHalf(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(Math.floor(samples.length / 2));
}
