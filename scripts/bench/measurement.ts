// A measurement: its input, its samples, and its targets.

import type { Variant } from './contestants.ts';
import type { Data } from './data.ts';
import type { Count, Sample, Spread } from './stats.ts';

/** The duration and number of measurements. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Long enough for V8 to compile all code of a request. */
  readonly warmUpSeconds: number;
  /** The number of starts, and of reads of whole lists. */
  readonly starts: number;
  readonly lists: number;
  /** The number of memories to import, as often as lists are read. */
  readonly imports: number;
}

/** The input of a measurement. */
export interface Scene {
  readonly pace: Pace;
  /** Files of increasing size. The first serves all measurements that do not depend on size. */
  readonly files: readonly [Data, ...Data[]];
  /** The way in which the baseline sends. */
  readonly variant: Variant;
  /** A folder for temporary files. */
  readonly folder: string;
}

/** Returns the file with the most memories. */
export function largest(files: Scene['files']): Data {
  return files.at(-1) ?? files[0];
}

/** The samples of servers. The first is the baseline. */
export type Samples = readonly { readonly name: string; readonly samples: readonly Sample[] }[];

/** Measures servers or programs in turn, repeatedly, so that disturbances of the machine affect all of them alike. */
export async function inTurn<T extends { readonly name: string }>(
  all: readonly T[],
  times: number,
  measureOnce: (each: T) => Promise<Sample>,
): Promise<Samples> {
  const rows = all.map((each) => ({ each, name: each.name, samples: [] as Sample[] }));
  for (let round = 0; round < times; round++)
    for (const { each, samples } of rows) samples.push(await measureOnce(each));
  return rows;
}

/**
 * A target: a ratio to the baseline, an amount, an amount beyond the baseline, or the factor by
 * which peers must exceed the gateway's CPU time.
 */
export type Target =
  | { readonly count: Count; readonly least: number; readonly server?: string }
  | { readonly count: Count; readonly mostBytes: number }
  | { readonly count: 'cpuUs'; readonly mostOverUs: number }
  | TimesTarget;

/** A target for peers. */
export interface TimesTarget {
  readonly count: 'cpuUs';
  readonly timesOurs: number;
  /** The gateway that they are compared with. */
  readonly than: keyof TimesOurs;
  /** Default: all. */
  readonly peers?: readonly string[];
}

/** Factors of a peer's CPU time, to the gateway with and without its response cache. */
export interface TimesOurs {
  readonly cached: Spread;
  readonly uncached: Spread;
}

/** A measurement. */
export interface Work {
  /** Its name for --only. */
  readonly name: string;
  readonly title: string;
  readonly targets: readonly Target[];
  /** Returns the reason why it cannot be measured, if any. */
  readonly lack?: () => string | undefined;
  readonly measure: (scene: Scene) => Promise<Samples>;
}
