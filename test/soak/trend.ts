// A trend: how much something grows, told from samples that go up and down.

/** A value, and when it was seen, in any unit. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** How much the line that fits samples best (least squares) rises from the first to the last of them. */
export function riseOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const spread = mean((sample) => (sample.at - at) ** 2);
  const slope = mean((sample) => (sample.at - at) * (sample.value - value)) / spread;
  const [first, last] = [samples[0], samples.at(-1)];
  return first && last && spread > 0 ? slope * (last.at - first.at) : 0;
}
