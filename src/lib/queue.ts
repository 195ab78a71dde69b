// Queues: one holder at a time for each key.

/** Waits until all that entered before with the same key have left, and returns the function that leaves. */
export type Enter = (key: string) => Promise<() => void>;

/** Creates queues. Keys without holders take no memory. */
export function createQueues(): Enter {
  const latest = new Map<string, Promise<void>>();
  return async (key) => {
    const before = latest.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    latest.set(key, promise);
    await before;
    return () => {
      if (latest.get(key) === promise) latest.delete(key);
      resolve();
    };
  };
}
