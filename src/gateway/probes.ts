// The paths beside /v1: /healthz and /readyz, which need no key and tell nothing about accounts.

import type { Answer } from '../contract/api.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { toJson } from '../contract/json.ts';
import type { Store } from '../store/store.ts';
import { isRead, methodNotAllowed, nothingHere } from './match.ts';
import { unavailable } from './report.ts';

const up = { body: toJson({ status: 'up' }) };
const ready = { body: toJson({ status: 'ready' }) };

/** Makes the function that answers a path outside /v1; what is not a probe is 404. */
export function createProbes(store: Store, state: { readonly draining: boolean }) {
  const probes: Record<string, () => Awaitable<Answer<unknown>>> = {
    // The process is up, whatever the store does: a restart would not mend a database.
    '/healthz': () => up,
    '/readyz': () => {
      if (state.draining) throw unavailable('is shutting down');
      return andThen(check(store), () => ready);
    },
  };
  return (method: string, path: string): Awaitable<Answer<unknown>> => {
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined;
    if (probe === undefined) throw nothingHere();
    if (!isRead(method)) throw methodNotAllowed();
    return probe();
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
