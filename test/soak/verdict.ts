// Lists the faults of a finished soak test.

import { megabytes, type Gauges } from '../support/processes/process-usage.ts';
import { riseOf, type Sample } from './trend.ts';

/** The measurements of a server. */
export interface Seen {
  readonly before: Gauges;
  readonly after: Gauges;
  /** Samples of its memory: minutes and bytes. */
  readonly memory: readonly Sample[];
  readonly minutes: number;
}

/** A shorter soak test reports memory without judging it, because the heap is still settling. */
export const JUDGED_MINUTES = 5;

/**
 * The most that memory may rise in the second half, by its trend. Garbage collection moves memory
 * up and down by tens of megabytes at any time. A leak adds up instead: at 500 requests a second,
 * 64 bytes of each request exceed this within half an hour.
 */
const MOST_RISE = 56e6;

/**
 * The most that the heap may grow after garbage collection: the caches of 4 MB, and compiled code.
 */
const MOST_HEAP = 12e6;

/** Allows for files that are opened on first use, and for timers that happen to run. */
const MOST_MORE = 2;

/** Returns the leaks, one sentence each. */
export function leaksOf({ before, after, memory, minutes }: Seen): string[] {
  const rise = riseOf(secondHalf(memory));
  const heap = after.heap - before.heap;
  const files = after.fds - before.fds;
  const handles = after.handles - before.handles;
  return [
    memory.length === 0 && 'its metrics could not be read',
    files > MOST_MORE && `it has ${files} files open more than at the beginning`,
    handles > MOST_MORE && `it has ${handles} handles more than at the beginning`,
    heap > MOST_HEAP && `its heap has grown by ${megabytes(heap)}`,
    minutes >= JUDGED_MINUTES &&
      rise > MOST_RISE &&
      `its memory has grown by ${megabytes(rise)} in the second half`,
  ].filter((leak) => leak !== false);
}

/** Returns the samples of the second half. */
export function secondHalf(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(Math.floor(samples.length / 2));
}
