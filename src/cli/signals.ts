// Signals: the first one ends the program well, the second at once.

import type { ProgramLog } from './logger.ts';
import { isUnderNpm } from './npm.ts';

/** The signals that end the program. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/** Ctrl-C under npm may come twice, from the terminal and from npm: so soon, it is one. */
const ECHO_MS = 500;

/** What is ended, and its log. */
export interface Ending {
  readonly log: ProgramLog;
  /** Takes no connection from this call on; resolves when all answers have ended. */
  readonly stop: () => Promise<void>;
  /** Ends what would outlive this process. */
  readonly cut?: () => void;
}

/** Keeps Node from opening a debugger on SIGUSR1, in which any user of the machine could run code in this process. */
export function refuseDebugger(): void {
  process.on('SIGUSR1', () => {});
}

/** Ends the program well on the first signal, and at once on the second. */
export function endOnSignal(ending: Ending): void {
  const echoMs = isUnderNpm() ? ECHO_MS : 0;
  let endedAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (endedAt === undefined) {
      endedAt = now;
      void endWell(ending, signal);
    } else if (now - endedAt >= echoMs) {
      ending.cut?.();
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, end);
  if (isUnderNpm()) onOrphaned(() => end('SIGTERM'));
}

async function endWell({ log, stop }: Ending, signal: NodeJS.Signals): Promise<void> {
  const stopped = stop();
  log.logger.info({ signal }, 'stopping'); // from here on nobody can connect
  await stopped;
  log.logger.info({}, 'stopped');
  await log.end();
  process.exit(0);
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
