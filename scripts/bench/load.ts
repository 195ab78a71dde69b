// The load: wrk where it is on the path, else autocannon, in a process of its own.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import * as v from 'valibot';

import { Refusal } from '../../src/store/refusal.ts';
import type { Request } from './ask.ts';

/** What the load saw. */
export type Load = v.InferOutput<typeof Load>;

const Load = v.object({
  requests: v.pipe(v.number(), v.minValue(1)),
  seconds: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
  /** Answers of 400 and more. */
  refused: v.number(),
  /** Connections that could not be made, or broke. */
  broken: v.number(),
});

/** How a server is loaded. */
export interface How extends Request {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** A file of paths, one a line, that is walked in place of `path`. */
  readonly paths?: string | undefined;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What makes the load on this machine. */
export const tool = findTool();

function findTool(): 'wrk' | 'autocannon' {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    // It has no option that ends with 0.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'autocannon';
  }
  return 'wrk';
}

/** Loads a server for so long. Fails with `Refusal` when connections broke. */
export async function load(how: How): Promise<Load> {
  const [command = '', ...args] = tool === 'wrk' ? wrk(how) : cannon(how);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const said = text(child.stdout);
  await Promise.race([pause(how.seconds * 1000), gone]);
  child.kill('SIGINT'); // both print what they saw then; wrk itself takes whole seconds only
  return readLoad(await said);
}

/** Reads what the load printed: JSON on its last line. Fails with `Refusal` when nothing was measured. */
export function readLoad(said: string): Load {
  const line = said.trim().split('\n').at(-1) ?? '';
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Load), line);
  if (!success) throw new Refusal(`${tool} measured nothing; it said: ${line || 'nothing'}`);
  if (output.broken > 0) throw new Refusal(`${output.broken} connections broke under load.`);
  return output;
}

function wrk({ port, path, headers, connections, seconds, paths }: How): string[] {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const url = `http://127.0.0.1:${port}${path}`;
  const fixed = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    longest(seconds),
    '-s',
    here('load.lua'),
  ];
  return ['wrk', ...fixed, ...lines, url, ...(paths === undefined ? [] : ['--', paths])];
}

/** It is stopped earlier, unless who stops it is gone. */
function longest(seconds: number): string {
  return `${Math.ceil(seconds) + 5}s`;
}

function cannon({ port, path, headers, connections, seconds, paths }: How): string[] {
  const url = `http://127.0.0.1:${port}${path}`;
  const asked = JSON.stringify({ url, paths, headers, connections, duration: longest(seconds) });
  return [process.execPath, here('cannon.mjs'), asked];
}
