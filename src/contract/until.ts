// Until: work that nobody waits for any longer than its signal says.

/** Waits for work, or rejects with the signal's reason when that comes first. */
export async function until<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const done = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, done);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    done.abort(); // a signal may live longer than its calls: nothing of them stays with it
  }
}
