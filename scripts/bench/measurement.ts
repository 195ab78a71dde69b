// A measurement, and its targets.

import type { Samples, Scene } from './measurement-input.ts';
import type { Count, Spread } from './stats.ts';

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
