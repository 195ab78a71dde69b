// The input of measurements, and the type of their results.

import type { Variant } from './contestants.ts';
import type { Data } from './data.ts';
import type { Pace } from './rounds.ts';
import type { Sample } from './stats.ts';

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

/** The samples of servers. The first is the baseline. */
export type Samples = readonly { readonly name: string; readonly samples: readonly Sample[] }[];

/** Returns the file with the most memories. */
export function largest(files: Scene['files']): Data {
  return files.at(-1) ?? files[0];
}

/** Adds names to samples. */
export function named(names: readonly string[], samples: readonly (readonly Sample[])[]): Samples {
  return names.map((name, i) => ({ name, samples: samples[i] ?? [] }));
}
