// Removes the temporary files of a command that a signal ends, because they may be full copies of a database.

import { removeTemporaries } from '../store/files/temporary.ts';
import type { Command } from './command.ts';
import { onSignal } from './signals.ts';

/** Wraps the `run` of a command so that a signal removes its temporary files before it ends the program. */
export function withCleanup(run: Command['run']): Command['run'] {
  return async (args, context) => {
    const forget = onSignal(context, (signal) => {
      removeTemporaries();
      forget();
      context.end(signal); // now with its default effect
    });
    try {
      return await run(args, context);
    } finally {
      forget();
    }
  };
}
