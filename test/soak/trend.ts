// Estimates how much a quantity grows from samples that go up and down.

/** A value and its time, in any unit. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

/**
 * Returns the rise of the least-squares line through the samples, from the first sample to the
 * last.
 */
export function riseOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const spread = mean((sample) => (sample.at - at) ** 2);
  const slope = mean((sample) => (sample.at - at) * (sample.value - value)) / spread;
  const [first, last] = [samples[0], samples.at(-1)];
  return first && last && spread > 0 ? slope * (last.at - first.at) : 0;
}
