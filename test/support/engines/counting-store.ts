// A store that counts the batches that are read for a list.

import type { Store, SyncStore } from '../../../src/store/store.ts';

export interface Counting {
  batches: number;
  readonly wrap: (store: SyncStore) => Store;
}

/** Counts batches. `before` receives the number of each batch, and may throw. */
export function counting(before: (batch: number) => void = () => {}): Counting {
  const counted: Counting = {
    batches: 0,
    wrap: (store) => ({
      ...store,
      items(range, maxBytes) {
        before(++counted.batches);
        return store.items(range, maxBytes);
      },
      chunk(range, maxBytes) {
        before(++counted.batches);
        return store.chunk(range, maxBytes);
      },
    }),
  };
  return counted;
}

/** Records the name of every read of a store. */
export function noting(calls: string[]): (store: SyncStore) => Store {
  return (store) =>
    new Proxy(store, {
      get(target, name: keyof typeof store) {
        if (name !== 'readTransaction') calls.push(name); // which reads nothing itself
        return target[name];
      },
    });
}
