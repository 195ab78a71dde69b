// Runs serve on a database as a process.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';

import { leave } from '../world/artifacts.ts';
import { start, stop, waitFor, type RunOptions } from '../world/program.ts';

export interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly port: number;
  /** The log lines so far. */
  readonly lines: () => Record<string, unknown>[];
}

/**
 * Collects the output of a process, which must contain no key. Returns a function that gives the
 * output so far.
 */
export function hear(...streams: readonly Readable[]): () => string {
  let log = '';
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (part: string) => {
      log += part;
      leave(part);
    });
  return () => log;
}

/** Waits until `serve` listens. Returns its port. */
export async function portOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  const said = await waitFor(child, 'stdout', /"listening"/);
  return Number(/"url":"http:\/\/[^"/]+:(\d+)/.exec(said)?.[1]);
}

/** Serves a database on a free port until the test ends. */
export async function serveAlone(
  t: TestContext,
  database: string,
  args: readonly string[] = [],
  options: Pick<RunOptions, 'under' | 'env'> = {},
): Promise<Served> {
  const child = start(['serve', '--database', database, '--port', '0', ...args], options);
  t.after(() => stop(child, 'SIGKILL'));
  const log = hear(child.stdout, child.stderr);
  const port = await portOf(child);
  const lines = (): Record<string, unknown>[] =>
    log()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{"heap"')) // which is not a log line
      .map((line) => JSON.parse(line));
  return { child, port, lines };
}
