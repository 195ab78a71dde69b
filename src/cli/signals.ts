// The signals that stop the program, and how far two of them count as one.

import type { Context, Environment } from './context.ts';
import { isUnderNpm } from './exit.ts';

/** The signals that stop the program. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/** Calls back for each signal that stops the program. Returns the function that ends this. */
export function onSignal(
  { signals }: Context,
  callback: (signal: (typeof SIGNALS)[number]) => void,
): () => void {
  for (const signal of SIGNALS) signals.on(signal, callback);
  return () => {
    for (const signal of SIGNALS) signals.off(signal, callback);
  };
}

/**
 * Returns within how many milliseconds two signals count as one. Under npm, Ctrl+C arrives twice: from
 * the terminal and from npm.
 */
export function echoMs(env: Environment): number {
  return isUnderNpm(env) ? 500 : 0;
}
