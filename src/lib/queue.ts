// Queues: one holder at a time for each key.

/** Waits until all that entered before with the same key have left, and returns the function that leaves. */
export type Enter = (key: string) => Promise<() => void>;

/** Queues by key. */
export interface Queues {
  readonly enter: Enter;
  /** Returns whether anybody with a key has entered and not left, or waits to enter. */
  readonly isBusy: (key: string) => boolean;
}

/** Creates queues. Keys without holders take no memory. */
export function createQueues(): Queues {
  const latest = new Map<string, Promise<void>>();
  return {
    async enter(key) {
      const before = latest.get(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      latest.set(key, promise);
      await before;
      return () => {
        if (latest.get(key) === promise) latest.delete(key);
        resolve();
      };
    },
    isBusy: (key) => latest.has(key),
  };
}
