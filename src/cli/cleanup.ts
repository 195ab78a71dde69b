// Removes the temporary files of a command that a signal ends, because they may be full copies of a database.

import { removeTemporaries } from '../store/temporary.ts';
import type { Command } from './command.ts';
import { SIGNALS } from './signals.ts';

/** Wraps the `run` of a command so that a signal removes its temporary files before it ends the program. */
export function withCleanup(run: Command['run']): Command['run'] {
  return async (args) => {
    const end = (signal: NodeJS.Signals): void => {
      removeTemporaries();
      for (const each of SIGNALS) process.off(each, end);
      process.kill(process.pid, signal); // now with its default effect
    };
    for (const signal of SIGNALS) process.on(signal, end);
    try {
      return await run(args);
    } finally {
      for (const signal of SIGNALS) process.off(signal, end);
    }
  };
}
