// Starts the program as a process, and reads its output and its resources.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The resources of a process. `NaN` if they cannot be read. */
export interface Held {
  readonly megabytes: number;
  readonly descriptors: number;
}

/** A running server. */
export interface Server {
  readonly port: number;
  /** The fault of the process, if any: it has ended, or has logged an error. */
  readonly complaint: () => string | undefined;
  readonly held: () => Held;
  readonly stop: () => Promise<void>;
}

/** The program's source file. */
export const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** How long the head of a request may take. On a busy machine the client may need longer for its pieces. */
export const HEAD_TIMEOUT_MS = 2000;

/** How long a connection may be idle between two requests, for a client that is as slow. */
export const IDLE_TIMEOUT_MS = 1000;

/**
 * All requests are logged. The short timeouts save time for scripts that wait for the server to
 * close.
 */
const LIMITS =
  `--access-log --head-timeout ${HEAD_TIMEOUT_MS / 1000}s --request-timeout 3s --idle-timeout ${IDLE_TIMEOUT_MS / 1000}s`.split(
    ' ',
  );

/** Text that the log must not contain: a key, the words of a memory, an error. */
const WRONG = /mem_[0-9A-Za-z]{20}|canary-of|"level":"(?:error|fatal)"/;

/**
 * Starts a server. `program` is the program with the arguments before `serve`. Rejects if the
 * server does not listen.
 */
export async function serve(database: string, program = [PROGRAM]): Promise<Server> {
  const args = [...program, 'serve', '--database', database, '--port', '0', ...LIMITS];
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] } });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let complaint: string | undefined;
  let isStopped = false;
  child.stderr.on('data', (part: Buffer) => (complaint ??= `it said ${part.toString()}`));
  child.once('close', (code, signal) => {
    if (!isStopped) complaint ??= `it ended with ${code ?? signal}`;
  });
  const port = await listening(child, (line) => {
    if (WRONG.test(line)) complaint ??= `it logged ${line}`;
  });
  return {
    port,
    complaint: () => complaint,
    held: () => heldBy(child.pid ?? 0),
    async stop() {
      isStopped = true;
      child.kill();
      await ended;
    },
  };
}

/** Resolves with the port, and passes on every log line. */
function listening(
  child: ChildProcessWithoutNullStreams,
  onLine: (line: string) => void,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let begun = ''; // a line may arrive in pieces
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = (begun + part).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const port = /"url":"http:[^"]*:(\d+)"/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      onLine(line);
    }
  });
  child.once('close', () => reject(new Error('the server ended before it listened')));
  return promise;
}

/** Reads the resources of a process from /proc. */
function heldBy(pid: number): Held {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    const { length } = readdirSync(`/proc/${pid}/fd`);
    return { megabytes: Math.round(kilobytes / 1000), descriptors: length };
  } catch {
    return { megabytes: Number.NaN, descriptors: Number.NaN };
  }
}
