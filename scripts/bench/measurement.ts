// A measurement, and its targets.

import type { Samples, Scene } from './measurement-input.ts';
import type { Count } from './stats.ts';

/**
 * A target: a ratio to the baseline, an amount, an amount beyond the baseline, or the factor by which every peer must exceed the
 * gateway's CPU time.
 */
export type Target =
  | { readonly count: Count; readonly least: number }
  | { readonly count: Count; readonly mostBytes: number }
  | { readonly count: 'cpuUs'; readonly mostOverUs: number }
  | { readonly count: 'cpuUs'; readonly timesOurs: number };

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
