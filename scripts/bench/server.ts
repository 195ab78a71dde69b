// A server in a process of its own, preloaded with a meter.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { Refusal } from '../../src/store/refusal.ts';

/** The resources of a process so far. */
interface Meter {
  /** User and system time. */
  readonly cpuUs: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** A Node program that listens on a port. */
export interface Program {
  readonly name: string;
  /** Options of node. */
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A started process. */
export interface Running {
  readonly pid: number | undefined;
  readonly port: number;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
  /** Rejects if the process ends before it is stopped. */
  readonly ended: Promise<never>;
  meter(): Promise<Meter>;
  stop(): Promise<void>;
}

const METER = new URL('meter.mjs', import.meta.url).href;
const PATIENCE_MS = 10_000;

/** Starts a program on a free port. It may not listen yet. */
async function startServer({ name, args, env = {} }: Program): Promise<Running> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', METER, ...args(port)], {
    env: { ...cleanEnv(), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-2000)));
  const ended = once(child, 'exit').then(() => {
    throw new Refusal(`${name} ended before it was measured: ${said.trim() || 'it said nothing'}`);
  });
  ended.catch(() => {}); // callers that wait for it get the error
  return {
    pid: child.pid,
    port,
    startedAt,
    ended,
    meter: () => Promise.race([askMeter(child), ended]),
    stop: () => stopProcess(child),
  };
}

/** Runs a function with servers, and always stops them. */
export async function withServers<T>(
  programs: readonly Program[],
  work: (servers: readonly Running[]) => Promise<T>,
): Promise<T> {
  const servers: Running[] = [];
  try {
    for (const program of programs) servers.push(await startServer(program));
    return await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Runs a function with one server, and always stops it. */
export function withServer<T>(program: Program, work: (server: Running) => Promise<T>): Promise<T> {
  return withServers([program], ([server]) => work(server as Running));
}

async function askMeter(child: ChildProcess): Promise<Meter> {
  const answer = once(child, 'message') as Promise<[Meter]>;
  child.send('meter');
  const [meter] = await answer;
  return meter;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(late);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Removes environment variables that would change the measurements. */
function cleanEnv(): NodeJS.ProcessEnv {
  const ours = /^(MEMORY_GATEWAY_|HOST$|PORT$|NODE_|npm_)/;
  const rest = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(rest), NODE_ENV: 'production' };
}
