// Runs a job of a server once: a command of the program, in a context of its own.

import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';

import { DAY_MS } from '../../../lib/time.ts';
import type { Context } from '../../context.ts';
import { runProgram } from '../../program.ts';
import type { Job, ThreadData, ThreadMessage } from './job.ts';

/** Where the jobs are worked on. */
export interface Workplace extends ThreadData {
  /** Sends a line of the log to the server. */
  readonly send: (message: ThreadMessage) => void;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** How a run has ended. */
export interface Ended {
  readonly code: number;
  /** How long the source asks to wait before the next run, in milliseconds, a day at most. */
  readonly waitMs: number;
}

/** Runs a job once, and logs its output. */
export async function runOnce(place: Workplace, job: Job): Promise<Ended> {
  const { env, program, stopping } = place;
  const results: string[] = [];
  const { repeats } = job;
  const stdout = lines((line) => {
    if (repeats !== undefined) results.push(line);
    else relay(place, job, line);
  });
  const stderr = lines((line) =>
    send(place, job, { level: 'warn', fields: {}, message: line.replace(/^memory-gateway: /, '') }),
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
  stopping.addEventListener('abort', stop);
  try {
    runProgram(job.argv, context).then(ended.resolve, ended.reject);
    const code = await ended.promise;
    if (repeats === undefined) return { code, waitMs: 0 };
    return { code, waitMs: tell(place, job, { code, json: results.join('\n') }) };
  } catch (error) {
    // A bug. The other jobs go on.
    send(place, job, { level: 'error', fields: { err: error }, message: 'failed' });
    return { code: 1, waitMs: 0 };
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

/** Logs the result of a command that has ended. Returns how long its source asks to wait, a day at most. */
function tell(
  place: Workplace,
  job: Job,
  { code, json }: { readonly code: number; readonly json: string },
): number {
  if (json === '') return 0; // its error was logged
  const { rejects: _, ...result } = JSON.parse(json) as Result;
  send(place, job, {
    level: code === 1 ? 'warn' : 'info',
    fields: result,
    message: job.repeats?.done ?? '',
  });
  const from = Date.parse(result.continues_at ?? '');
  return Number.isNaN(from) ? 0 : Math.min(Math.max(0, from - Date.now()), DAY_MS);
}

interface Result {
  readonly rejects?: unknown;
  readonly continues_at?: string | null;
}

/** Sends a line of the log of a command on. */
function relay(place: Workplace, job: Job, line: string): void {
  const { level, time: _, msg: message, ...fields } = JSON.parse(line) as LogLine;
  send(place, job, { level, fields, message });
}

interface LogLine {
  readonly level: ThreadMessage['level'];
  readonly time: string;
  readonly msg: string;
}

function send(place: Workplace, { about }: Job, { fields, ...message }: ThreadMessage): void {
  place.send({ ...message, fields: { ...about, ...fields } });
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
