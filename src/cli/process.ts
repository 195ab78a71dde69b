// The context of a real process.

import { isatty } from 'node:tty';

import { once } from '../lib/once.ts';
import { BY_ID } from './args/args.ts';
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
        return openStderr();
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

/** Opens standard error. What nobody can read, or no disk can take, is lost: an import must not end because of its log. */
const openStderr = once(() => process.stderr.on('error', () => {}));

/** Runs the program on the command line of this process, and sets its exit code. All first files end with it. */
export async function runThisProcess(
  run: (argv: readonly string[], context: Context) => Promise<number>,
): Promise<void> {
  stopWithParent();
  process.exitCode = await run(process.argv.slice(2), processContext);
}

/**
 * Stops a command that a server has started when the server is gone: nobody reads its report, and a killed server
 * stops nothing. Other parents with a channel, such as pm2, stop the program themselves.
 */
function stopWithParent(): void {
  if (process.env[BY_ID] === undefined) return;
  const { connected } = process as { readonly connected?: boolean };
  if (connected === false) processContext.end('SIGTERM'); // it was gone before this runs
  process.once('disconnect', () => processContext.end('SIGTERM'));
  process.channel?.unref(); // the channel alone keeps no command running
}
