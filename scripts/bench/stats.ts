// Medians, spreads, and ratios to a floor.

/** What is in the middle of some measurements, and how far they go. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The median of numbers, and the least and the greatest of them. */
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

/** What is counted of a server in one round. Less is better, but for what is counted a second. */
export interface Sample {
  /** User and system time of the process, for each request, or memory that is imported. */
  readonly cpuUs?: number;
  readonly perSecond?: number;
  readonly memoriesPerSecond?: number;
  readonly megabytesPerSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** The most that was resident since the process began. */
  readonly peakBytes?: number;
  /** The most that was resident beyond what was before the first request. */
  readonly grownBytes?: number;
  readonly firstAnswerMs?: number;
  /** User and system time from the start of the process. */
  readonly firstAnswerCpuUs?: number;
  readonly idleBytes?: number;
  /** From the start of the process to the line that says that it listens. */
  readonly listeningMs?: number;
}

/** The name of what is counted. */
export type Count = keyof Sample;

/** A measurement: its numbers, and how they stand to the floor's of the same rounds: 1 is as good, less is worse. */
export interface Measured {
  readonly value: Spread;
  readonly ratio: Spread;
}

/** What was measured of a server, count by count. */
export type Summary = { readonly [K in Count]?: Measured };

/** Sums up the rounds of a server against those of the floor: each ratio is within its round. */
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
