// Runs the program as a process, as users run it.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { readerAddress } from '../engines/database-addresses.ts';
import { issued, leave } from './artifacts.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly script?: string;
  /** Whether the sources run even if an executable is under test. */
  readonly sources?: boolean;
  readonly cwd?: string;
  /** The words before the command, which restrict the program. */
  readonly under?: readonly string[];
}

const PROGRAM = 'src/cli/main.ts';

/** The path of the executable under test, if any: see `test/binary/`. */
export const BINARY = process.env['BINARY'];

/** The path of the bundle that the global set-up has built. Without it the sources run. */
const BUILT = process.env['BUILT_PROGRAM'];

/** The bundle's compiled code is beside it, and goes with it after the run. */
const COMPILED = BUILT === undefined ? {} : { NODE_COMPILE_CACHE: `${dirname(BUILT)}/compiled` };

/** Whether tests start a built program instead of its sources. */
export const isBuilt = (BINARY ?? BUILT) !== undefined;

/** The words that start the program: the executable, the bundle, or the sources. */
export const PROGRAM_WORDS: readonly string[] =
  BINARY === undefined ? [process.execPath, BUILT ?? `${ROOT}${PROGRAM}`] : [BINARY];

/** The reason to skip a test that preloads a module or sets V8 options, or false. */
export const noLoading = BINARY !== undefined && 'an executable takes no NODE_OPTIONS';

/**
 * Starts the program, or a script of the project. It is stopped at the latest when the test ends.
 */
export function start(
  args: readonly string[],
  { env = {}, script = PROGRAM, sources = false, cwd = ROOT, under = [] }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(MEMORY_GATEWAY_|HOST$|PORT$|FORCE_COLOR|NODE_TEST|npm_)/.test(name),
    ),
  );
  const program =
    script === PROGRAM && !sources ? PROGRAM_WORDS : [process.execPath, `${ROOT}${script}`];
  // Uses the read-only user, because `serve` warns about a user that can write.
  const given = args[0] === 'serve' ? args.map(readerAddress) : args;
  const [command = '', ...words] = [...under, ...program, ...given];
  return spawn(command, words, { cwd, env: { ...clean, ...COMPILED, ...env } });
}

/** Runs the program to its end. Keys on stdout are recorded, and stderr must contain none. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = start(args, options);
  child.stdin.on('error', () => {}); // a program that does not read its input may end first
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  for (const [key] of stdout.matchAll(/mem_[0-9A-Za-z]{49}/g)) issued(key);
  leave(stderr);
  return { code, stdout, stderr };
}

/**
 * Waits until a process prints a match. Resolves with all its output on that stream since the call.
 */
export async function waitFor(
  child: ChildProcessWithoutNullStreams,
  stream: 'stdout' | 'stderr',
  wanted: RegExp,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const hear = (part: Buffer): void => {
    said += part.toString();
    if (wanted.test(said)) resolve(said);
  };
  const fail = (code: number | null): void =>
    reject(new Error(`ended with ${code} after: ${said}`));
  child[stream].on('data', hear);
  child.once('close', fail);
  try {
    return await promise;
  } finally {
    child[stream].off('data', hear);
    child.off('close', fail);
  }
}

/** Stops a process and returns its exit code. */
export function stop(
  child: ChildProcessWithoutNullStreams,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  child.kill(signal);
  return new Promise((resolve) => child.once('close', resolve));
}
