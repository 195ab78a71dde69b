// Runs the program in the test's own process, which takes a fraction of the time of a process of its own.

import { EventEmitter } from 'node:events';
import { PassThrough, Transform } from 'node:stream';
import { inspect } from 'node:util';

import type { Context, Environment } from '../../../src/cli/context.ts';

// Loaded by its address when it runs: few tests need it, and those of browsers have other global types.
const PROGRAM = new URL('../../../src/cli/program.ts', import.meta.url).href;

interface Program {
  readonly runProgram: (argv: readonly string[], context: Context) => Promise<number>;
}

/** A running program, in this process or in one of its own. Emits `close` at its end, with its exit code. */
export interface RunningProgram extends EventEmitter {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** Null while the program runs, and if a signal has ended it. */
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal?: NodeJS.Signals): boolean;
}

/** Creates a context whose streams are in memory. */
export function createContext(env: Environment = {}, end: Context['end'] = () => {}) {
  const stdin = new PassThrough();
  const [stdout, stderr] = [createPipe(), createPipe()];
  const signals = new EventEmitter();
  const context: Context = {
    stdin: { isTTY: false, stream: stdin },
    stdout: { isTTY: false, stream: stdout },
    stderr: { isTTY: false, stream: stderr },
    env,
    program: ['/usr/bin/memory-gateway'],
    signals,
    end,
  };
  return { context, stdin, stdout, stderr, signals };
}

/** Creates a stream that copies what it is given, as a pipe does. */
function createPipe(): Transform {
  return new Transform({ transform: (bytes, _, done) => done(null, Buffer.from(bytes)) });
}

/**
 * Starts the program in this process. A signal that it does not listen to ends it, like a real one. `source` is the
 * address of its module. Default: that of the sources.
 */
export function startInProcess(
  args: readonly string[],
  env: Environment,
  source = PROGRAM,
): RunningProgram {
  const ending = Promise.withResolvers<number | NodeJS.Signals>();
  const { context, stdin, stdout, stderr, signals } = createContext(env, ending.resolve);
  const state: { exitCode: number | null; signalCode: NodeJS.Signals | null } = {
    exitCode: null,
    signalCode: null,
  };
  const kill = (signal: NodeJS.Signals = 'SIGTERM'): boolean => {
    // Work in this process cannot be killed, only stopped.
    const sent = signal === 'SIGKILL' ? 'SIGTERM' : signal;
    setImmediate(() => signals.emit(sent, sent) || ending.resolve(sent)); // signals arrive later
    return true;
  };
  const program = Object.assign(new EventEmitter(), { stdin, stdout, stderr, ...state, kill });
  const work = async (): Promise<void> => {
    try {
      const { runProgram } = (await import(source)) as Program;
      ending.resolve(await runProgram(args, context));
    } catch (error) {
      stderr.write(`${inspect(error)}\n`); // as Node does
      ending.resolve(1);
    }
  };
  const close = async (): Promise<void> => {
    const how = await ending.promise;
    if (typeof how === 'number') program.exitCode = how;
    else program.signalCode = how;
    stdout.end();
    stderr.end();
    program.emit('close', program.exitCode, program.signalCode);
  };
  void work();
  void close();
  return program;
}
