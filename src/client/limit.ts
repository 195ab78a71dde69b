// The limit of a call: its time, and the signal of who called.

/** When a call ends. */
export interface Limit {
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Waits so long, or for ever when the call has ended. */
  readonly wait: (ms: number) => Promise<void>;
  /** Lets go of the timers and of the caller's signal. */
  readonly release: () => void;
}

/**
 * Starts the clock of a call. `AbortSignal.any` over `AbortSignal.timeout` would be shorter, but
 * holds on to a long-lived signal until the time is up: 0.7 kB for every call that is over long since.
 */
export function startLimit(timeoutMs: number, signal: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const timers = [setTimeout(() => controller.abort(), timeoutMs)];
  return {
    signal: controller.signal,
    endsAt: performance.now() + timeoutMs,
    wait: (ms) =>
      new Promise((resolve) => {
        timers.push(setTimeout(resolve, ms));
      }),
    release() {
      timers.forEach(clearTimeout);
      signal?.removeEventListener('abort', abort);
    },
  };
}
