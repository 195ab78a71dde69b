// The signals that stop the program: the first lets it finish, the second ends it at once.

import type { Context } from './context.ts';
import { isUnderNpm } from './exit.ts';

/** The signals that stop the program. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/** One of them. */
export type StopSignal = (typeof SIGNALS)[number];

/** Calls back for each signal that stops the program. Returns the function that ends this. */
export function onSignal({ signals }: Context, callback: (signal: StopSignal) => void): () => void {
  for (const signal of SIGNALS) signals.on(signal, callback);
  return () => {
    for (const signal of SIGNALS) signals.off(signal, callback);
  };
}

/** Under npm, Ctrl+C arrives twice: from the terminal and from npm. So two signals within this time count as one. */
const ECHO_MS = 500;

/**
 * Calls `stop` for the first signal that stops the program, unless it returns false, and ends the program at once on
 * the second, with the exit code of `codeOf`. Returns the function that ends this.
 */
export function stopOnSignal(
  context: Context,
  stop: (signal: StopSignal) => unknown,
  codeOf: (signal: StopSignal) => number = () => 1,
): () => void {
  let since: number | undefined;
  return onSignal(context, (signal) => {
    const now = performance.now();
    if (since === undefined) since = stop(signal) === false ? undefined : now;
    else if (!isUnderNpm(context.env) || now - since >= ECHO_MS) context.end(codeOf(signal));
  });
}
