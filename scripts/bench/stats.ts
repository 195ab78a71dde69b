// Medians, spreads, and ratios to a baseline.

/** The median and the range of some measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the median, the minimum and the maximum of numbers. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const at = (i: number) => sorted[i] ?? Number.NaN;
  return {
    median: (at(Math.floor(half)) + at(Math.ceil(half))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** The quantities of a server in one round. Less is better, except for rates. */
export interface Sample {
  /** User and system time of the process, per request or imported memory. */
  readonly cpuUs?: number;
  readonly perSecond?: number;
  readonly memoriesPerSecond?: number;
  readonly megabytesPerSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Peak resident memory since the start of the process. */
  readonly peakBytes?: number;
  /** Peak resident memory beyond the memory before the first request. */
  readonly grownBytes?: number;
  readonly firstAnswerMs?: number;
  /** User and system time from the start of the process. */
  readonly firstAnswerCpuUs?: number;
  readonly idleBytes?: number;
  /** Time from the start of the process to the line that says that it listens. */
  readonly listeningMs?: number;
}

/** The name of a quantity. */
export type Count = keyof Sample;

/**
 * A measurement: its numbers, and their ratio to the baseline in the same rounds. 1 is equal, and
 * less is worse.
 */
export interface Measured {
  readonly value: Spread;
  readonly ratio: Spread;
}

/** The measurements of a server by quantity. */
export type Summary = { readonly [K in Count]?: Measured };

/** Sums up the rounds of a server and of the baseline. Each ratio is computed within its round. */
export function summarise(rounds: readonly Sample[], floor: readonly Sample[]): Summary {
  const counts = Object.keys(rounds[0] ?? {}) as Count[];
  return Object.fromEntries(
    counts.map((count) => {
      const values = rounds.map((round) => round[count] ?? Number.NaN);
      const ratios = values.map((value, i) => {
        const of = floor[i]?.[count] ?? Number.NaN;
        return count.endsWith('PerSecond') || count === 'perSecond' ? value / of : of / value;
      });
      return [count, { value: spreadOf(values), ratio: spreadOf(ratios) }];
    }),
  );
}
