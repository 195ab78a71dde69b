// The scene: what there is to measure on, and what comes of it.

import type { Variant } from './contestants.ts';
import type { Data } from './data.ts';
import type { Pace } from './rounds.ts';
import type { Sample } from './stats.ts';

/** What there is to measure on. */
export interface Scene {
  readonly pace: Pace;
  /** Files with more and more memories: the first is for all that has nothing to do with size. */
  readonly files: readonly [Data, ...Data[]];
  /** How the floor sends. */
  readonly variant: Variant;
  /** For notes, and gone afterwards. */
  readonly folder: string;
}

/** The samples of servers; the first of them is the floor. */
export type Samples = readonly { readonly name: string; readonly samples: readonly Sample[] }[];

/** The file with the most memories. */
export function largest(files: Scene['files']): Data {
  return files.at(-1) ?? files[0];
}

/** Puts names to samples. */
export function named(names: readonly string[], samples: readonly (readonly Sample[])[]): Samples {
  return names.map((name, i) => ({ name, samples: samples[i] ?? [] }));
}
