// Screens that are loaded when they are first shown: each has a script of its own, so that the first screen is small.

import { signal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { comebacks, retry } from '../state/connection.ts';
import { useArrival } from '../state/router.ts';
import { Loading } from './notice.tsx';

/** A script that is loaded once. */
export interface Later<M> {
  /** Loads the script, unless it is loaded. A failure stays with it, and the next call tries again. */
  readonly load: () => Promise<void>;
  /** Returns what shows its screens, once they are loaded. */
  readonly show: (toScreen: ToScreen<M>) => ComponentChildren;
}

type ToScreen<M> = (screens: M) => ComponentChildren;

/** Creates a script that is loaded by `import()`, which the bundler replaces with the name of the script. */
export function later<M>(fetchScript: () => Promise<M>): Later<M> {
  const loaded = signal<M>();
  const hasFailed = signal(false);
  const load = async () => {
    if (loaded.value !== undefined) return;
    try {
      loaded.value = await fetchScript();
      hasFailed.value = false;
    } catch {
      hasFailed.value = true;
      void retry(); // if the gateway does not answer, this begins to wait for it
    }
  };
  const parts = { loaded, hasFailed, load };
  return { load, show: (toScreen) => <LaterScreen {...parts} toScreen={toScreen} /> };
}

interface LaterScreenProps<M> extends Pick<Later<M>, 'load'> {
  readonly loaded: Signal<M | undefined>;
  readonly hasFailed: Signal<boolean>;
  readonly toScreen: ToScreen<M>;
}

function LaterScreen<M>({ loaded, hasFailed, load, toScreen }: LaterScreenProps<M>) {
  useEffect(() => void load(), [load, comebacks.value]);
  if (loaded.value !== undefined) return toScreen(loaded.value);
  if (!hasFailed.value) return <Loading />;
  return <Unloaded />;
}

/** After an update the gateway has scripts of other names, which only its new page knows. */
function Unloaded() {
  useArrival(true, 'Not loaded');
  return (
    <>
      <h1 tabIndex={-1}>This page cannot be loaded</h1>
      <p>There is no connection, or the app was updated.</p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    </>
  );
}
