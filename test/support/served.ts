// Served: a database by `serve`, as a process of its own.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { TestContext } from 'node:test';

import { leave } from './left.ts';
import { start, stop, waitFor, type RunOptions } from './program.ts';

export interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly port: number;
  /** The lines of its log so far. */
  readonly lines: () => Record<string, unknown>[];
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
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      log += part.toString();
      leave(part.toString());
    });
  const said = await waitFor(child, 'stdout', /http:\/\/[\d.:]+/);
  const port = Number(/http:\/\/[\d.]+:(\d+)/.exec(said)?.[1]);
  const lines = (): Record<string, unknown>[] =>
    log
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{"heap"')) // which is no line of its log
      .map((line) => JSON.parse(line));
  return { child, port, lines };
}
