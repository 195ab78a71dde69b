// A work: something to measure, and what must be reached in it.

import type { Samples, Scene } from './scene.ts';
import type { Count } from './stats.ts';

/** What is to be reached: a ratio to the floor, an amount, or of every peer so many times our CPU. */
export type Target =
  | { readonly count: Count; readonly least: number }
  | { readonly count: Count; readonly mostBytes: number }
  | { readonly count: 'cpuUs'; readonly timesOurs: number };

/** Something to measure. */
export interface Work {
  /** What --only takes. */
  readonly name: string;
  readonly title: string;
  readonly targets: readonly Target[];
  /** What is missing to measure it; undefined when nothing is. */
  readonly lack?: () => string | undefined;
  readonly measure: (scene: Scene) => Promise<Samples>;
}
