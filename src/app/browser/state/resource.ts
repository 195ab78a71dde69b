// Loads what a screen shows: the data, the failure, and whether it takes so long that the screen says so.

import { useEffect, useState } from 'preact/hooks';

import type { Failure } from '../../../contract/failure.ts';
import { comebacks } from './connection.ts';
import { toFailure } from './session.ts';

/** What has been loaded. The data stays while it is loaded again. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  /** Loads again. */
  readonly reload: () => void;
  /** Replaces the data, after a change that the screen has made itself. */
  readonly replace: (data: T) => void;
}

/** Loads data when a screen opens, when `key` changes, and when the connection comes back after a failure. */
export function useResource<T>(key: string, load: () => Promise<T>): Resource<T> {
  const [state, setState] = useState<{ key: string; data?: T; failure?: Failure }>({ key });
  const [turn, setTurn] = useState(0);
  const wake = state.failure === undefined ? 0 : comebacks.value;
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      try {
        const data = await load();
        if (isCurrent) setState({ key, data });
      } catch (error) {
        const failure = toFailure(error);
        if (isCurrent) setState((old) => ({ ...(old.key === key ? old : { key }), failure }));
      }
    };
    void run();
    return () => {
      isCurrent = false;
    };
  }, [key, turn, wake]);
  const shown = state.key === key ? state : { key };
  return {
    data: shown.data,
    failure: shown.failure,
    reload: () => setTurn((count) => count + 1),
    replace: (data) => setState({ key, data }),
  };
}
