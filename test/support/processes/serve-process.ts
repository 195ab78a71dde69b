// Runs serve on a database, as a process or in the test's own.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { TestContext } from 'node:test';

import { leave } from '../world/artifacts.ts';
import type { RunningProgram } from '../world/program-in-process.ts';
import {
  start,
  startProcess,
  stop,
  waitFor,
  type ProcessOptions,
  type RunOptions,
} from '../world/program.ts';

export interface Served<Program extends RunningProgram = RunningProgram> {
  readonly child: Program;
  readonly port: number;
  /** What was printed so far. */
  readonly log: () => string;
  /** The same as log entries. */
  readonly lines: () => Record<string, unknown>[];
}

/**
 * Collects the output of a program, which must contain no key. Returns a function that gives the
 * output so far.
 */
export function hear(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let log = '';
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (part: string) => {
      log += part;
      leave(part);
    });
  return () => log;
}

/** Waits until `serve` listens. Returns its port. */
export async function portOf(child: RunningProgram): Promise<number> {
  const said = await waitFor(child, 'stdout', /"listening"/);
  return Number(/"url":"http:\/\/[^"/]+:(\d+)/.exec(said)?.[1]);
}

/** Serves a database in this process, on a free port until the test ends. */
export function serveHere(
  t: TestContext,
  database: string,
  args: readonly string[] = [],
  options: Pick<RunOptions, 'env'> = {},
): Promise<Served> {
  return served(t, start(wordsOf(database, args), options));
}

/** Serves a database as a process, on a free port until the test ends. */
export function serveAlone(
  t: TestContext,
  database: string,
  args: readonly string[] = [],
  options: Pick<ProcessOptions, 'under' | 'env'> = {},
): Promise<Served<ChildProcessWithoutNullStreams>> {
  return served(t, startProcess(wordsOf(database, args), options));
}

function wordsOf(database: string, args: readonly string[]): string[] {
  return ['serve', '--database', database, '--port', '0', ...args];
}

async function served<Program extends RunningProgram>(
  t: TestContext,
  child: Program,
): Promise<Served<Program>> {
  t.after(() => stop(child, 'SIGKILL'));
  const log = hear(child.stdout, child.stderr);
  const port = await portOf(child);
  const lines = (): Record<string, unknown>[] =>
    log()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{"heap"')) // which is not a log line
      .map((line) => JSON.parse(line));
  return { child, port, log, lines };
}
