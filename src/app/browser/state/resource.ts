// Loads what a screen shows: the data, the failure, and whether it takes so long that the screen says so.

import { useEffect, useState } from 'preact/hooks';

import type { Failure } from '../../../contract/failure.ts';
import { comebacks } from './connection.ts';
import { toFailure } from './session.ts';

/** What has been loaded. The data stays while it is loaded again, and if it is kept, while that of another key is. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  /** Loads again. */
  readonly reload: () => void;
  /** Replaces the data, after a change that the screen has made itself. */
  readonly replace: (data: T) => void;
}

interface State<T> extends Pick<Resource<T>, 'data' | 'failure'> {
  readonly key: string;
}

/** What screens have loaded lately by its keys, for Back to show it at once. */
const lately = new Map<string, unknown>();
const MOST_KEPT = 8;

/**
 * Loads data when a screen opens, when `key` changes, and when the connection comes back after a failure.
 * If it is kept, the next screen with this key shows it at once, and loads it again.
 */
export function useResource<T>(key: string, load: () => Promise<T>, isKept = false): Resource<T> {
  const first: State<T> = { key, data: lately.get(key) as T | undefined, failure: undefined };
  const [state, setState] = useState(first);
  const [turn, setTurn] = useState(0);
  const wake = state.failure === undefined ? 0 : comebacks.value;
  const replace = (data: T) => {
    setState({ ...first, data });
    if (!isKept) return;
    lately.delete(key);
    lately.set(key, data);
    for (const [old] of lately) if (lately.size > MOST_KEPT) lately.delete(old);
  };
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      try {
        const data = await load();
        if (isCurrent) replace(data);
      } catch (error) {
        const failure = toFailure(error);
        if (isCurrent) setState((old) => ({ ...(old.key === key ? old : first), failure }));
      }
    };
    void run();
    return () => {
      isCurrent = false;
    };
  }, [key, turn, wake]);
  const isOld = state.key !== key && (!isKept || first.data !== undefined);
  const { data, failure } = isOld ? first : state;
  return { data, failure, reload: () => setTurn((count) => count + 1), replace };
}
