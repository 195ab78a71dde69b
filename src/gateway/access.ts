// Access: one log line a request, where the host asked for it.

import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

/** How a request ended: its status, where it was answered at all, and whether the answer left to its end. */
export interface Ended {
  readonly status: number | undefined;
  readonly complete: boolean;
}

/** Starts the clock of a request; the function that comes back writes its line. */
export function startAccess(log: Log, exchange: Exchange): ((ended: Ended) => void) | undefined {
  if (log.access === undefined) return undefined;
  const started = performance.now();
  return ({ status, complete }) => {
    const { id: request_id, method, route, bytes, last_four } = exchange;
    const duration_ms = Math.round((performance.now() - started) * 1000) / 1000;
    log.access?.(
      { request_id, method, route, status, duration_ms, bytes, last_four, complete },
      'request',
    );
  };
}
