// The first file of the thread that runs the jobs of a server: each is a command of the program, in a context of its own.

import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

import type { Context } from '../../context.ts';
import { runProgram } from '../../program.ts';
import type { Job, ThreadData, ThreadMessage } from './job.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** A command that has run for so long does not fail at its start. */
const GOOD_RUN_MS = 60_000;

const { jobs, env, program } = workerData as ThreadData;
const stopping = new AbortController();

parentPort?.once('message', () => stopping.abort());
void Promise.all(jobs.map(repeat)).then(() => parentPort?.close());

/** Runs a job again and again, until the server stops. */
async function repeat(job: Job): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !stopping.signal.aborted;) {
    const began = performance.now();
    const { code, waitMs } = await runOnce(job);
    const took = performance.now() - began;
    if (job.everyMs !== undefined) await rest(Math.max(job.everyMs - took, waitMs));
    else {
      if (took > GOOD_RUN_MS) pause = FIRST_PAUSE_MS;
      if (code !== 0) await rest(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
}

async function rest(ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
}

interface Ended {
  readonly code: number;
  /** How long the source asks to wait before the next run, in milliseconds. */
  readonly waitMs: number;
}

/** Runs a job once, and logs its output. */
async function runOnce(job: Job): Promise<Ended> {
  const results: string[] = [];
  const isRepeated = job.everyMs !== undefined;
  const stdout = lines((line) => {
    if (isRepeated) results.push(line);
    else relay(job, line);
  });
  const stderr = lines((line) =>
    send(job, { level: 'warn', fields: {}, message: line.replace(/^memory-gateway: /, '') }),
  );
  const signals = new EventEmitter();
  const stop = () => signals.emit('SIGTERM', 'SIGTERM');
  const ended = Promise.withResolvers<number>();
  const context: Context = {
    stdin: { isTTY: false, stream: Readable.from([]) },
    stdout: { isTTY: false, stream: stdout },
    stderr: { isTTY: false, stream: stderr },
    env: { ...env },
    program,
    signals,
    end: (how) => ended.resolve(typeof how === 'number' ? how : 1),
  };
  stopping.signal.addEventListener('abort', stop);
  try {
    runProgram(job.argv, context).then(ended.resolve, ended.reject);
    const code = await ended.promise;
    return { code, waitMs: isRepeated ? tell(job, code, results.join('\n')) : 0 };
  } catch (error) {
    // A bug. The other jobs go on.
    send(job, { level: 'error', fields: { err: error }, message: 'failed' });
    return { code: 1, waitMs: 0 };
  } finally {
    stopping.signal.removeEventListener('abort', stop);
  }
}

/** Logs the result of a command that has ended. Returns how long its source asks to wait. */
function tell(job: Job, code: number, json: string): number {
  if (json === '') return 0; // its error was logged
  const { rejects: _, ...result } = JSON.parse(json) as Result;
  send(job, { level: code === 1 ? 'warn' : 'info', fields: result, message: 'pulled' });
  const from = Date.parse(result.continues_at ?? '');
  return Number.isNaN(from) ? 0 : Math.max(0, from - Date.now());
}

interface Result {
  readonly rejects?: unknown;
  readonly continues_at?: string | null;
}

/** Sends a line of the log of a command on. */
function relay(job: Job, line: string): void {
  const { level, time: _, msg: message, ...fields } = JSON.parse(line) as LogLine;
  send(job, { level, fields, message });
}

interface LogLine {
  readonly level: ThreadMessage['level'];
  readonly time: string;
  readonly msg: string;
}

function send({ about }: Job, { fields, ...message }: ThreadMessage): void {
  const sent: ThreadMessage = { ...message, fields: { ...about, ...fields } };
  parentPort?.postMessage(sent, []);
}

/** Creates a stream that calls back for each line. */
function lines(each: (line: string) => void): Writable {
  let begun = '';
  return new Writable({
    decodeStrings: false,
    write(part: string | Buffer, _, done) {
      const [...whole] = (begun + part.toString()).split('\n');
      begun = whole.pop() ?? '';
      for (const line of whole) if (line !== '') each(line);
      done();
    },
  });
}
