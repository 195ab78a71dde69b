// Estimates how long work still takes.

/** How far back the speed is measured. Work comes in bursts: files are read, then written. */
const WINDOW_MS = 60_000;

/** How often the progress is noted. */
const SAMPLE_MS = 1000;

/** An estimate before this time would be a guess. */
const FIRST_MS = 2000;

interface Sample {
  readonly value: number;
  readonly at: number;
}

/**
 * Creates an estimate for work that begins at a time in milliseconds. The function takes the progress and
 * the time, and returns the seconds left, or undefined if that is not known yet.
 */
export function createEstimate(total: number, begins: number) {
  const samples: Sample[] = [{ value: 0, at: begins }];
  return (value: number, now: number): number | undefined => {
    const last = samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_MS) samples.push({ value, at: now });
    while (samples.length > 2 && (samples[1]?.at ?? now) < now - WINDOW_MS) samples.shift();
    const [first] = samples;
    if (first === undefined || now - begins < FIRST_MS || value <= first.value) return undefined;
    return ((total - value) * (now - first.at)) / (value - first.value) / 1000;
  };
}
