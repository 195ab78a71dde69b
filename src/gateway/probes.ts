// Probes: is the process up, and can it answer?

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Answer } from '../contract/handlers.ts';
import { toJson } from '../contract/json.ts';
import type { Store } from '../store/store.ts';
import { unavailable } from './report.ts';

const up = { body: toJson({ status: 'up' }) };
const ready = { body: toJson({ status: 'ready' }) };

/** The probes, by their paths; each fails with 503 where it has nothing good to say. */
export type Probes = Readonly<Record<'/healthz' | '/readyz', () => Awaitable<Answer<unknown>>>>;

/** Tells whether a path is that of a probe. */
export function isProbe(path: string): path is keyof Probes {
  return path === '/healthz' || path === '/readyz';
}

/** Makes the probes. */
export function createProbes(store: Store, state: { readonly draining: boolean }): Probes {
  return {
    // The process is up, whatever the store does: a restart would not mend a database.
    '/healthz': () => up,
    '/readyz': () => {
      if (state.draining) throw unavailable('is shutting down');
      return andThen(check(store), () => ready);
    },
  };
}

function check(store: Store): Awaitable<void> {
  try {
    const checked = store.check();
    return checked instanceof Promise ? checked.catch(unreadable) : checked;
  } catch {
    return unreadable();
  }
}

function unreadable(): never {
  throw unavailable('cannot read its database');
}
