// The signals that stop the program, and how far two of them count as one.

import { isUnderNpm } from './exit.ts';

/** The signals that stop the program. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/**
 * Returns within how many milliseconds two signals count as one. Under npm, Ctrl+C arrives twice: from
 * the terminal and from npm.
 */
export function echoMs(): number {
  return isUnderNpm() ? 500 : 0;
}
