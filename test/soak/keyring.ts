// A keyring: the keys that are made and revoked meanwhile, and what is known of each.

/** The state of a key: `closing` from before it is revoked until after, when nobody can tell. */
export type KeyState = 'open' | 'closing' | 'closed';

/** Keys of the account that is written to. */
export interface Keyring {
  readonly set: (key: string, state: KeyState) => void;
  readonly stateOf: (key: string) => KeyState | undefined;
  readonly keys: () => readonly string[];
}

/** More than this are not asked with. */
const MOST = 50;

/** Makes a keyring. */
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
