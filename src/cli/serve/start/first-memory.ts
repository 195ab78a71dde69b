// Tells when an account has its first memory.

import { openStore } from '../../../store/engines.ts';

const LOOK_EVERY_MS = 250;

/** Looks for the first memory of an account. */
export interface FirstMemory {
  /** Looks from now on, unless the account has memories already. */
  readonly lookFor: (account_id: string) => void;
  readonly stop: () => void;
}

/** Creates what looks for the first memory. */
export function createFirstMemory(database: string, onFound: () => void): FirstMemory {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  return {
    lookFor(account_id) {
      const store = openStore(database);
      const hasOne = () => {
        const range = { account_id, order: 'desc', projection: 'slim', limit: 1 } as const;
        try {
          return store.positions(range).items.length > 0;
        } catch {
          return undefined; // a damaged file must not end the server
        }
      };
      stop = () => {
        clearInterval(timer);
        store.close();
      };
      if (hasOne() !== false) return stop?.();
      timer = setInterval(() => {
        const found = hasOne();
        if (found === false) return;
        stop?.();
        if (found === true) onFound();
      }, LOOK_EVERY_MS);
      return undefined;
    },
    stop: () => stop?.(),
  };
}
