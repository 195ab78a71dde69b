// The load generator: wrk, in a process of its own.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import * as v from 'valibot';

import { Refusal } from '../../src/store/refusal.ts';
import { pathTo } from './contestants.ts';
import type { Request } from './request.ts';

/** The result of a load. */
export type Load = v.InferOutput<typeof Load>;

const Load = v.object({
  requests: v.pipe(v.number(), v.minValue(1)),
  seconds: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
  /** Responses with a status of 400 or more. */
  refused: v.number(),
  /** Connections that failed or broke. */
  broken: v.number(),
});

/** The settings of a load. */
export interface How extends Request {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** A file with one path per line, to request in turn instead of `path`. */
  readonly paths?: string | undefined;
}

/** Returns whether the load generator is on the path. */
export function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'; // wrk has no option that exits with 0
  }
  return true;
}

/** Loads a server for some seconds. Rejects with `Refusal` if connections broke. */
export async function load(how: How): Promise<Load> {
  const { port, path, headers, connections, seconds, paths = '', method = 'GET', body = '' } = how;
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const longest = `${Math.ceil(seconds) + 5}s`; // in case this process ends before it interrupts wrk
  const patience = { '--timeout': '30s' }; // a timeout on a busy machine is not the server's fault
  const fixed = {
    '-t': 1,
    '-c': connections,
    '-d': longest,
    '-s': pathTo('load.lua'),
    ...patience,
  };
  const words = [urlOf(port, path), '--', paths, method, body];
  const args = [...Object.entries(fixed).flat().map(String), ...lines, ...words];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  // wrk takes whole seconds only, and prints its results when it is interrupted.
  await Promise.race([pause(seconds * 1000), once(child, 'exit')]);
  child.kill('SIGINT');
  return readLoad(await said);
}

function urlOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

/**
 * Parses the output of a load: JSON on its last line. Throws `Refusal` if it has no measurements.
 */
export function readLoad(said: string): Load {
  const line = said.trim().split('\n').at(-1) ?? '';
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Load), line);
  if (!success) throw new Refusal(`wrk measured nothing; it said: ${line || 'nothing'}`);
  if (output.broken > 0) throw new Refusal(`${output.broken} connections broke under load.`);
  return output;
}
