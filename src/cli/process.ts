// The context of a real process.

import { isatty } from 'node:tty';

import type { Context } from './context.ts';

/** The context of this process. Its streams are opened when they are used, because Node makes a pipe non-blocking then. */
export const processContext: Context = {
  stdin: {
    isTTY: isatty(0),
    get stream() {
      return process.stdin;
    },
  },
  stdout: {
    isTTY: isatty(1),
    fd: 1,
    get stream() {
      return process.stdout;
    },
  },
  stderr: {
    isTTY: isatty(2),
    fd: 2,
    get stream() {
      return process.stderr;
    },
  },
  env: process.env,
  signals: process,
  end(how) {
    if (typeof how === 'number') process.exit(how);
    process.kill(process.pid, how);
  },
};
