// The context of a real process.

import { isatty } from 'node:tty';

import type { Context } from './context.ts';

/** The context of this process. */
export const processContext: Context = createContext();

/**
 * Nothing is looked at before it is used, because the executable loads this module when it is
 * built, and because Node makes a pipe non-blocking when it opens its stream.
 */
function createContext(): Context {
  return {
    stdin: {
      get isTTY() {
        return isatty(0);
      },
      get stream() {
        return process.stdin;
      },
    },
    stdout: {
      fd: 1,
      get isTTY() {
        return isatty(1);
      },
      get stream() {
        return process.stdout;
      },
    },
    stderr: {
      fd: 2,
      get isTTY() {
        return isatty(2);
      },
      get stream() {
        return process.stderr;
      },
    },
    get env() {
      return process.env;
    },
    get program() {
      const { execPath, argv } = process;
      const isExecutable = process.getBuiltinModule('node:sea').isSea();
      return isExecutable ? [execPath] : [execPath, argv[1] ?? ''];
    },
    signals: process,
    end(how) {
      if (typeof how === 'number') process.exit(how);
      process.kill(process.pid, how);
    },
  };
}
