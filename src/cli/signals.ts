// Signals: the first one ends the program well, the second at once.

import { isUnderNpm } from './npm.ts';

/** The signals that end the program. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/** Ctrl-C under npm may come twice, from the terminal and from npm: so soon, it is one. */
const ECHO_MS = isUnderNpm ? 500 : 0;

/** What ends the program: well, and at once. Neither returns to go on. */
export interface Ends {
  readonly well: (signal: NodeJS.Signals) => Promise<void>;
  readonly atOnce: () => void;
}

/** Ends the program well on the first signal, and at once on the second. */
export function endOnSignal({ well, atOnce }: Ends): void {
  let endedAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (endedAt === undefined) {
      endedAt = now;
      void well(signal);
    } else if (now - endedAt >= ECHO_MS) atOnce();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  if (isUnderNpm) onOrphaned(() => end('SIGTERM'));
}

/** Calls back when the parent is gone: a signal to `npm start` may end npm's shell and go no further. */
function onOrphaned(callback: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, 250);
}
