// Queues: one holder at a time for each key.

/** Waits until all that entered before with the same key have left, and returns the function that leaves. */
export type Enter = (key: string) => Promise<() => void>;

/** Queues by key. */
export interface Queues {
  readonly enter: Enter;
  /** Has a key for as long as anybody has entered with it and not left, or waits to enter. */
  readonly busy: ReadonlyMap<string, unknown>;
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
    busy: latest,
  };
}
