// Starts one worker process, and lets the primary talk to it and watch it.

import type { ChildProcess, Serializable } from 'node:child_process';
import cluster from 'node:cluster';
import type { Readable } from 'node:stream';

import { isExecutable } from '../../../files.ts';
import type { LogSettings } from '../../args/log.ts';
import { createRpcClient, type RpcResponse, type RpcCall, type RpcRequest } from './rpc.ts';

/** A message from a worker: where it listens, why it cannot serve, or the response to a request. */
export type WorkerMessage =
  | { readonly listening: string }
  | { readonly refused: string }
  | RpcResponse;

/** A message to a worker: to finish open requests and exit, to change what it logs, or a request. */
export type PrimaryMessage = 'stop' | { readonly change: LogSettings } | RpcRequest;

/** How a worker ended. */
export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not serve, in a sentence, if it could say so. */
  readonly refused: string | undefined;
  /** How long it ran, in milliseconds. */
  readonly lived_ms: number;
}

/** A running worker. */
export interface WorkerHandle {
  readonly id: number;
  readonly pid: number | undefined;
  /** Lets it finish open requests and exit. */
  stop(): void;
  kill(): void;
  /** Changes what it logs. */
  change(settings: LogSettings): void;
  /** Returns whether a connection was sent to it that it has not accepted yet. */
  isAccepting(): boolean;
  readonly call: RpcCall;
}

/** Callbacks for the events of a worker. */
export interface WorkerEvents {
  /** Called with each line of its log. */
  readonly onLine: (line: string) => void;
  readonly onListening: (url: string) => void;
  /** Called once, after its whole log has been read. */
  readonly onExit: (end: WorkerExit) => void;
}

/**
 * Starts a worker. The primary accepts connections and hands them to the workers in turn, which is
 * node:cluster's default. If workers listened themselves, one of two got all of 32 keep-alive
 * connections that were opened at once. The hand-over costs 60 µs per connection and nothing per request.
 */
export function startWorker({ onLine, onListening, onExit }: WorkerEvents): WorkerHandle {
  // Processes that share a pipe tear each other's lines: only writes up to 4 KiB are atomic, and the log
  // writes 16 KiB at a time. So each worker has a pipe of its own, and the primary copies whole lines.
  // The channel between the processes stays free for connections.
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'], ...ownCommand() });
  const startedAt = performance.now();
  const worker = cluster.fork();
  const child = worker.process;
  let refused: string | undefined;
  worker.on('error', ({ code, syscall = '', path }: NodeJS.ErrnoException) => {
    // The worker could not be started, or is gone. "close" follows in both cases.
    if (syscall.startsWith('spawn'))
      refused = `No worker can be started from ${path} (${code}); check that the file exists, or allow more open files.`;
  });
  const isAccepting = watchHandOver(child);
  const send = (message: PrimaryMessage): boolean => {
    if (!worker.isConnected()) return false;
    worker.send(message);
    return true;
  };
  const rpc = createRpcClient(send);
  const handle: WorkerHandle = {
    id: worker.id,
    pid: child.pid,
    stop: () => {
      if (!send('stop')) return;
      worker.disconnect(); // it gets no more connections, and answers those it has
    },
    kill: () => void child.kill('SIGKILL'),
    change: (settings) => void send({ change: settings }),
    isAccepting,
    call: rpc.call,
  };
  // A worker that could not be started has no output. Its "error" comes before its "close".
  if (child.stdout) readLines(child.stdout, onLine);
  worker.on('message', (message: WorkerMessage) => {
    if ('listening' in message) onListening(message.listening);
    else if ('number' in message) rpc.onResponse(message);
    else refused = message.refused;
  });
  child.once('close', (code, signal) => {
    rpc.close();
    onExit({ code, signal, refused, lived_ms: Math.round(performance.now() - startedAt) });
  });
  return handle;
}

/**
 * Returns how to start a worker: with the arguments of this process. In an executable there is no
 * script, and Node takes the first argument for one, so the executable itself is named.
 */
function ownCommand(): { readonly exec?: string; readonly args?: string[] } {
  const [, , exec = '', ...args] = process.argv;
  return isExecutable ? { exec, args } : {};
}

/**
 * Watches the connection that node:cluster is handing to a worker, one at a time. Returns a function
 * that tells whether there is one. If the worker dies, the connection is closed here.
 *
 * Measured with 60 clients that open a connection per request, and two workers. Without this, each of 12
 * shutdowns closed about 58 connections unanswered, and each of 6 killed workers left a client hanging.
 * With it, none did. It costs nothing per request.
 */
function watchHandOver(child: ChildProcess): () => boolean {
  const send = child.send?.bind(child);
  if (!send) return () => false; // the worker could not be started
  let last: { readonly fd: number; close(): void } | undefined;
  child.send = (message: Serializable, handle?: unknown, ...rest: unknown[]) => {
    if (handle) last = handle as typeof last;
    return (send as (...all: unknown[]) => boolean)(message, handle, ...rest);
  };
  child.once('exit', () => last?.close()); // an accepted connection is closed here already
  return () => last !== undefined && last.fd >= 0;
}

/** Reads whole lines with their line feeds. A last line that the worker's death cut off is left out. */
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
