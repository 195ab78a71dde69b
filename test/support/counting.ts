// A store whose batches are counted: what is read of a list, and when.

import type { SyncStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';

export interface Counting {
  batches: number;
  readonly wrap: (store: SyncStore) => Store;
}

/** Counts the batches that pass; `before` is told the number of each, and may throw. */
export function counting(before: (batch: number) => void = () => {}): Counting {
  const counted: Counting = {
    batches: 0,
    wrap: (store) => ({
      ...store,
      items(range, maxBytes) {
        before(++counted.batches);
        return store.items(range, maxBytes);
      },
      piece(range, maxBytes) {
        before(++counted.batches);
        return store.piece(range, maxBytes);
      },
    }),
  };
  return counted;
}

/** Notes the name of every read of a store. */
export function noting(calls: string[]): (store: SyncStore) => Store {
  return (store) =>
    new Proxy(store, {
      get(target, name: keyof typeof store) {
        if (name !== 'together') calls.push(name); // which reads nothing itself
        return target[name];
      },
    });
}
