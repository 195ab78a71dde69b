// Runs the program: in the test's own process, or as a process, as users run it.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { appAddress, readerAddress } from '../engines/database-addresses.ts';
import { issued, leave } from './artifacts.ts';
import { startInProcess, type RunningProgram } from './program-in-process.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What only a process has. */
export interface ProcessOptions extends RunOptions {
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

/** Runs the program to its end. Keys on stdout are recorded, and stderr must contain none. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return ended(start(args, options), options.input);
}

/** Starts the program in this process, unless an executable is under test. */
export function start(args: readonly string[], options: RunOptions = {}): RunningProgram {
  if (BINARY !== undefined) return startProcess(args, options);
  const early = Object.keys(options.env ?? {}).find((name) => /^(NODE_|PG|TMPDIR$|TZ$)/.test(name));
  if (early !== undefined) throw new Error(`only a process reads ${early}`);
  return startInProcess(asReader(args), { ...ownEnvironment(), ...options.env });
}

/** Runs the program, or a script of the project, as a process. */
export function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Run> {
  return ended(startProcess(args, options), options.input);
}

/** Starts the program, or a script of the project, as a process. */
export function startProcess(
  args: readonly string[],
  { env = {}, script = PROGRAM, sources = false, cwd = ROOT, under = [] }: ProcessOptions = {},
): ChildProcessWithoutNullStreams {
  const program =
    script === PROGRAM && !sources ? PROGRAM_WORDS : [process.execPath, `${ROOT}${script}`];
  const [command = '', ...words] = [...under, ...program, ...asReader(args)];
  return spawn(command, words, { cwd, env: { ...ownEnvironment(), ...COMPILED, ...env } });
}

/** The environment without what would change the program. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(MEMORY_GATEWAY_|HOST$|PORT$|FORCE_COLOR|NODE_TEST|npm_)/.test(name),
    ),
  );
}

/** Uses the read-only user, because `serve` warns about a user that can write. Jobs need one, and names of accounts the user of the app. */
function asReader(args: readonly string[]): readonly string[] {
  const hasJobs = args.some((arg) => /^--(watch|pull)/.test(arg));
  if (args[0] !== 'serve' || hasJobs) return args;
  const hasNames = args.some((arg) => arg.startsWith('--audio'));
  return args.map(hasNames ? appAddress : readerAddress);
}

/** Waits for the end of a program that was started. */
export async function ended(program: RunningProgram, input = ''): Promise<Run> {
  program.stdin.on('error', () => {}); // a program that does not read its input may end first
  program.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    new Promise<number | null>((resolve) => program.once('close', resolve)),
  ]);
  for (const [key] of stdout.matchAll(/mem_[0-9A-Za-z]{49}/g)) issued(key);
  leave(stderr);
  return { code, stdout, stderr };
}

/**
 * Waits until a program prints a match. Resolves with all its output on that stream since the call.
 */
export async function waitFor(
  child: RunningProgram,
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

/** Stops a program and returns its exit code. */
export function stop(
  child: RunningProgram,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  child.kill(signal);
  return new Promise((resolve) => child.once('close', resolve));
}
