// The load: wrk where it is on the path, else autocannon, in a process of its own.

import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
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

const LUA = fileURLToPath(new URL('load.lua', import.meta.url));
const CANNON = fileURLToPath(new URL('cannon.mjs', import.meta.url));

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
  return readLoad(await (tool === 'wrk' ? runWrk(how) : runCannon(how)));
}

async function runWrk(how: How): Promise<string> {
  const { port, path, headers, connections, seconds, paths } = how;
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const longest = `${Math.ceil(seconds) + 5}s`; // should nobody be left to interrupt it
  const patience = { '--timeout': '30s' }; // a busy machine is no fault of a server's
  const fixed = { '-t': 1, '-c': connections, '-d': longest, '-s': LUA, ...patience };
  const walk = paths === undefined ? [] : ['--', paths];
  const args = [...Object.entries(fixed).flat().map(String), ...lines, urlOf(port, path), ...walk];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  // It takes whole seconds only, and prints what it saw when it is interrupted.
  await Promise.race([pause(seconds * 1000), once(child, 'exit')]);
  child.kill('SIGINT');
  return said;
}

interface Cannon {
  readonly child: ChildProcess;
  readonly gone: Promise<string[]>;
}

let cannon: Cannon | undefined;

/** One process for all loads, as it takes long to start; it ends with this one. */
async function runCannon(how: How): Promise<string> {
  const { port, path, headers, connections, seconds, paths } = how;
  const { child, gone } = (cannon ??= startCannon());
  const seen = once(child, 'message') as Promise<string[]>;
  child.send({ url: urlOf(port, path), paths, headers, connections, duration: seconds });
  const [said = ''] = await Promise.race([seen, gone]);
  return said;
}

function startCannon(): Cannon {
  const child = fork(CANNON, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.unref();
  child.channel?.unref();
  return { child, gone: once(child, 'exit').then(() => []) };
}

function urlOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

/** Reads what the load printed: JSON on its last line. Fails with `Refusal` when nothing was measured. */
export function readLoad(said: string): Load {
  const line = said.trim().split('\n').at(-1) ?? '';
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Load), line);
  if (!success) throw new Refusal(`${tool} measured nothing; it said: ${line || 'nothing'}`);
  if (output.broken > 0) throw new Refusal(`${output.broken} connections broke under load.`);
  return output;
}
