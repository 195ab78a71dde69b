// Tells how long after the start of the program an account has its first memory.

import { openStore } from '../../store/engines.ts';

const LOOK_EVERY_MS = 250;

/** Looks for the first memory of an account. */
export interface FirstMemory {
  /** Looks from now on, unless the account has memories already. */
  readonly lookFor: (account_id: string) => void;
  readonly stop: () => void;
}

/** Creates what looks for the first memory. `onFound` gets the seconds since the process has started. */
export function createFirstMemory(
  database: string,
  onFound: (seconds: number) => void,
): FirstMemory {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  return {
    lookFor(account_id) {
      const store = openStore(database);
      const hasOne = () =>
        store.positions({ account_id, order: 'desc', projection: 'slim', limit: 1 }).items.length >
        0;
      stop = () => {
        clearInterval(timer);
        store.close();
      };
      if (hasOne()) return stop?.();
      timer = setInterval(() => {
        if (!hasOne()) return;
        stop?.();
        onFound(performance.now() / 1000);
      }, LOOK_EVERY_MS);
      return undefined;
    },
    stop: () => stop?.(),
  };
}
