// Pause: a while in which nothing happens, unless a signal ends it.

import { until } from './until.ts';

// Timers cannot be set further ahead: they would go off at once. Nor do all hosts take fractions.
const LONGEST_MS = 2 ** 31 - 1;

/** Waits. Rejects with the failure of a call that its signal ended. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.ceil(ms), LONGEST_MS));
  });
  return until(signal, passed).finally(() => clearTimeout(timer));
}
