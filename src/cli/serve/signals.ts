// Shuts the program down on signals: the first lets open requests finish, the second stops at once.

import type { ProgramLog } from '../output/logger.ts';
import { echoMs, SIGNALS } from '../signals.ts';

/** How to shut the program down. */
export interface Shutdown {
  readonly log: ProgramLog;
  /** Accepts no more connections from this call on. Resolves when open requests have ended. */
  readonly stop: () => Promise<void>;
  /** What SIGHUP does instead of stopping. */
  readonly reload?: (() => void) | undefined;
}

/** Disables Node's debugger on SIGUSR1, with which another process of this user could run code in this one. */
export function disableDebuggerSignal(): void {
  process.on('SIGUSR1', () => {});
}

/** Shuts the program down on the first signal, and stops it at once on the second. */
export function shutDownOnSignal(shutdown: Shutdown): void {
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && shutdown.reload && stoppingSince === undefined) {
      shutdown.reload();
      return;
    }
    const now = performance.now();
    if (stoppingSince === undefined) {
      stoppingSince = now;
      void shutDown(shutdown, signal);
    } else if (now - stoppingSince >= echoMs()) {
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

async function shutDown({ log, stop }: Shutdown, signal: NodeJS.Signals): Promise<void> {
  const stopped = stop();
  log.logger.info({ signal }, 'stopping'); // the port is closed already
  await stopped;
  log.logger.info({}, 'stopped');
  await log.end();
  process.exit(0);
}
