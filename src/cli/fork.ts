// fork: one worker, as the first process sees it.

import type { ChildProcess, Serializable } from 'node:child_process';
import cluster from 'node:cluster';
import type { Readable } from 'node:stream';

import { isExecutable } from '../files.ts';
import { createQuestions, type Answer, type Ask, type Question } from './questions.ts';

/** What a worker tells the first process: where it listens, or why it cannot, or what it was asked. */
export type Told = { readonly listening: string } | { readonly refused: string } | Answer;

/** What the first process tells a worker: to finish its answers and end, or to answer a question. */
export type Order = 'stop' | Question;

/** How a worker ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not serve, in a sentence, where it could say so. */
  readonly refused: string | undefined;
  /** How long it lived. */
  readonly lived_ms: number;
}

/** A worker that runs. */
export interface Forked {
  readonly id: number;
  readonly pid: number | undefined;
  /** Lets it finish its answers and end. */
  stop(): void;
  kill(): void;
  /** Whether a connection is on its way to it that it has not taken yet. */
  isTaking(): boolean;
  readonly ask: Ask;
}

/** Who is told of a worker: of what it logs, that it listens, and that it has ended. */
export interface Listeners {
  readonly onLine: (line: string) => void;
  readonly onListening: (url: string) => void;
  /** Comes once, when all that it logged has been read. */
  readonly onEnd: (end: End) => void;
}

/**
 * Starts a worker. The first process takes the connections and deals them in turn, as node:cluster
 * does unless told otherwise: where workers listened themselves, 32 connections that were opened at
 * once and kept went to one of two. It costs 60 µs a connection, and nothing a request.
 */
export function fork({ onLine, onListening, onEnd }: Listeners): Forked {
  // Several processes that write to one pipe tear each other's lines: only 4 KiB are sure to stay
  // together, and a log is written 16 KiB at a time. So each writes to a pipe of its own, and the first
  // process passes whole lines on; the channel between them stays free for connections.
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'], ...asStarted() });
  const startedAt = performance.now();
  const worker = cluster.fork();
  const child = worker.process;
  let refused: string | undefined;
  worker.on('error', ({ code, syscall = '', path }: NodeJS.ErrnoException) => {
    // It never came; or it is gone. Both end in "close".
    if (syscall.startsWith('spawn'))
      refused = `No worker can be started from ${path} (${code}); put it back, or allow more open files.`;
  });
  const isTaking = watchTaking(child);
  const order = (what: Order): boolean => {
    if (!worker.isConnected()) return false;
    worker.send(what);
    return true;
  };
  const questions = createQuestions(order);
  const forked: Forked = {
    id: worker.id,
    pid: child.pid,
    stop: () => {
      if (!order('stop')) return;
      worker.disconnect(); // takes it off the port here and now: what it was handed before, it answers
    },
    kill: () => void child.kill('SIGKILL'),
    isTaking,
    ask: questions.ask,
  };
  // One that could not be started has no output; why it could not comes before its "close".
  if (child.stdout) readLines(child.stdout, onLine);
  worker.on('message', (told: Told) => {
    if ('listening' in told) onListening(told.listening);
    else if ('number' in told) questions.take(told);
    else refused = told.refused;
  });
  child.once('close', (code, signal) => {
    questions.end();
    onEnd({ code, signal, refused, lived_ms: Math.round(performance.now() - startedAt) });
  });
  return forked;
}

/**
 * How a worker is started: with the arguments of this process, which Node gives to the script of this
 * process. An executable is its own script, and what Node takes for one is its first argument.
 */
function asStarted(): { readonly exec?: string; readonly args?: string[] } {
  const [, , exec = '', ...args] = process.argv;
  return isExecutable ? { exec, args } : {};
}

/**
 * Watches the connection that is on its way to a worker, and tells whether there is one: node:cluster
 * waits for the worker to take it, one at a time. If the worker dies, it is closed here, or its caller
 * would be kept waiting for ever.
 */
function watchTaking(child: ChildProcess): () => boolean {
  const send = child.send?.bind(child);
  if (!send) return () => false; // it could not be started
  let last: { readonly fd: number; close(): void } | undefined;
  child.send = (message: Serializable, handle?: unknown, ...rest: unknown[]) => {
    if (handle) last = handle as typeof last;
    return (send as (...all: unknown[]) => boolean)(message, handle, ...rest);
  };
  child.once('exit', () => last?.close()); // where it was taken, its end here is closed already
  return () => last !== undefined && last.fd >= 0;
}

/** Reads whole lines, each with its line feed; one that a death has cut short is left out. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      onLine(`${rest}${line}\n`);
      rest = '';
    }
    rest += last;
  });
}
