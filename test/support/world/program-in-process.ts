// Runs the program in the test's own process, which takes a fraction of the time of a process of its own.

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';

import type { Context, Environment } from '../../../src/cli/context.ts';
import { runProgram } from '../../../src/cli/program.ts';

/** A running program, in this process or in one of its own. */
export interface RunningProgram {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** Null while the program runs, and if a signal has ended it. */
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal?: NodeJS.Signals): boolean;
  on(event: 'close', listener: (code: number | null) => void): unknown;
  once(event: 'close', listener: (code: number | null) => void): unknown;
  off(event: 'close', listener: (code: number | null) => void): unknown;
}

/** Creates a context whose streams are in memory. */
export function createContext(env: Environment = {}, end: Context['end'] = () => {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals = new EventEmitter();
  const context: Context = {
    stdin: { isTTY: false, stream: stdin },
    stdout: { isTTY: false, stream: stdout },
    stderr: { isTTY: false, stream: stderr },
    env,
    signals,
    end,
  };
  return { context, stdin, stdout, stderr, signals };
}

/** Starts the program in this process. A signal that it does not listen to ends it, like a real one. */
export function startInProcess(args: readonly string[], env: Environment): RunningProgram {
  const ending = Promise.withResolvers<number | null>();
  let exitCode: number | null = null;
  let signalCode: NodeJS.Signals | null = null;
  const end = (how: number | NodeJS.Signals): void => {
    if (typeof how === 'string') signalCode = how;
    ending.resolve(typeof how === 'string' ? null : how);
  };
  const { context, stdin, stdout, stderr, signals } = createContext(env, end);
  const closing = new EventEmitter();
  const program: RunningProgram = {
    stdin,
    stdout,
    stderr,
    get exitCode() {
      return exitCode;
    },
    get signalCode() {
      return signalCode;
    },
    kill(signal = 'SIGTERM') {
      // Work in this process cannot be killed, only stopped.
      const sent = signal === 'SIGKILL' ? 'SIGTERM' : signal;
      if (!signals.emit(sent, sent)) end(sent);
      return true;
    },
    on: (event, listener) => closing.on(event, listener),
    once: (event, listener) => closing.once(event, listener),
    off: (event, listener) => closing.off(event, listener),
  };
  void runProgram(args, context).then(ending.resolve, (error: unknown) => {
    stderr.write(`${inspect(error)}\n`); // as Node does
    ending.resolve(1);
  });
  const close = async () => {
    exitCode = await ending.promise;
    stdout.end();
    stderr.end();
    closing.emit('close', exitCode);
  };
  void close();
  return program;
}
