// The keys that are created and revoked during a soak test, and the state of each.

/**
 * The state of a key. `closing` lasts from just before to just after its revocation, when both
 * responses are right.
 */
export type KeyState = 'open' | 'closing' | 'closed';

/** Keys of the account that changes. */
export interface Keyring {
  readonly set: (key: string, state: KeyState) => void;
  readonly stateOf: (key: string) => KeyState | undefined;
  readonly keys: () => readonly string[];
}

/** Requests use at most this many keys, the newest ones. */
const MOST = 50;

/** Creates a keyring. */
export function createKeyring(): Keyring {
  const states = new Map<string, KeyState>();
  return {
    set(key, state) {
      states.set(key, state);
      const [oldest = ''] = states.keys();
      if (states.size > MOST) states.delete(oldest);
    },
    stateOf: (key) => states.get(key),
    keys: () => [...states.keys()],
  };
}
