// Shuts the program down on signals: the first lets open requests finish, the second stops at once.

import type { Context } from '../../context.ts';
import type { ProgramLog } from '../../output/logger.ts';
import { stopOnSignal } from '../../signals.ts';

/** How to shut the program down. */
export interface Shutdown {
  readonly log: ProgramLog;
  /** Accepts no more connections from this call on. Resolves when open requests have ended. */
  readonly stop: () => Promise<void>;
  /** What SIGHUP does instead of stopping. */
  readonly reload?: (() => void) | undefined;
}

/** Disables Node's debugger on SIGUSR1, with which another process of this user could run code in this one. */
export function disableDebuggerSignal({ signals }: Context): void {
  signals.on('SIGUSR1', () => {});
}

/** Shuts the program down on the first signal, and ends it at once on the second. Resolves when it is shut down. */
export async function shutDownOnSignal(context: Context, shutdown: Shutdown): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const forget = stopOnSignal(context, (signal) => {
    if (signal === 'SIGHUP' && shutdown.reload) {
      shutdown.reload();
      return false;
    }
    shutDown(shutdown, signal).then(stopped.resolve, stopped.reject);
    return true;
  });
  try {
    await stopped.promise;
  } finally {
    forget();
  }
}

async function shutDown({ log, stop }: Shutdown, signal: NodeJS.Signals): Promise<void> {
  const stopped = stop();
  log.logger.info({ signal }, 'stopping'); // the port is closed already
  await stopped;
  log.logger.info({}, 'stopped');
  await log.end();
}
