// Runs a command of this program as a process of its own, and reads what it prints.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { isSource, ownUrl } from '../../files.ts';
import type { Context } from '../context.ts';
import { commandEnv } from './command-env.ts';

/** A command to run. */
export interface CommandOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  readonly args: readonly string[];
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from standard input. Default: nothing. */
  readonly input?: string | undefined;
  /** Whether it yields to requests. */
  readonly isInBackground: boolean;
  /** After how many milliseconds it is killed. Default: never. */
  readonly timeout?: number;
  /** Called for each line of standard error. The last one for which it returns false says why a command failed. */
  readonly onLine?: (line: string) => boolean;
}

/** What a command has printed, and whether it succeeded. */
export interface CommandEnd {
  readonly isDone: boolean;
  readonly out: string;
  /** Its last sentence on standard error, without the name of the program. */
  readonly problem: string;
}

/** A command that runs. */
export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  /** Stops it, by force if it takes longer than some seconds. */
  readonly stop: () => Promise<void>;
}

/** No report is as large. */
const MAX_OUTPUT = 256 * 1024 * 1024;

/** How long a command may take to stop. */
const STOP_MS = 5000;

/** In a clone, Node keeps what it makes of the sources: a command then takes 0.35 s of processor time instead of 0.6. The package does so itself. */
const CACHE = isSource
  ? { NODE_COMPILE_CACHE: fileURLToPath(ownUrl('node_modules/.cache/memory-gateway')) }
  : {};

/** Starts a command. */
export function spawnCommand(options: CommandOptions): RunningCommand {
  const { context, database, env, input, isInBackground, timeout, onLine } = options;
  const [command = '', ...words] = context.program;
  const child = spawn(command, [...words, ...options.args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'], // closed when this process ends, however it does
    env: { ...CACHE, ...commandEnv(context.env, database), ...env },
    timeout,
    killSignal: 'SIGKILL',
  }) as ChildProcessWithoutNullStreams;
  child.stdin.on('error', () => {}); // a command that has failed reads nothing
  child.stdin.end(input);
  try {
    if (isInBackground && child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // some systems do not let us
  }
  let [out, last, line] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.length > MAX_OUTPUT) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (line + text).split('\n');
    line = (lines.pop() ?? '').slice(-10_000);
    for (const each of lines) if (onLine?.(each) !== true) last = each;
  });
  const ended = new Promise<CommandEnd>((resolve) => {
    const end = (isDone: boolean, problem: string) =>
      resolve({ isDone, out, problem: problem.replace(/^memory-gateway: /, '') });
    child.once('error', ({ message }) => end(false, `It cannot be started: ${message}.`));
    child.once('close', (code) => end(code === 0, last));
  });
  return {
    ended,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
