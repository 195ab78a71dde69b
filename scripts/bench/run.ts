// Measures the built program: runs it to its end and says what that cost, or serves a database with it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Refusal } from '../../src/store/refusal.ts';
import { readWhole, runScript, word } from '../command.ts';
import { MAIN, uncached } from './contestants.ts';
import { askUntilAnswered, READY } from './request.ts';
import { withServer, type Running } from './server.ts';

/** What a run of the program cost. */
export interface Cost {
  readonly seconds: number;
  /** The most memory that it had, in MB. */
  readonly peak: number;
  readonly stdout: string;
}

/** What a measurement gets: a folder of its own, and its command line. */
export interface Setting {
  readonly folder: string;
  readonly positionals: readonly string[];
  /** How many memories are generated. Undefined: the measurement's own number. */
  readonly memories: number | undefined;
}

/** Runs a measurement of this process's command line, in a folder that it removes. */
export function measureIn(help: string, measure: (setting: Setting) => Promise<void>) {
  const script = { name: 'bench', help, options: { memories: word }, allowPositionals: true };
  return runScript(script, async ({ values, positionals }) => {
    if (!existsSync(MAIN)) throw new Refusal('The program is not built; run "npm run build".');
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    try {
      const bounds = { fallback: undefined, least: 1, most: 1e8 };
      const memories = readWhole('memories', values.memories, bounds);
      await measure({ folder, positionals, memories });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** Serves a database without the response cache, and runs a function with the address. */
export function withGateway<T>(
  database: string,
  work: (url: string, server: Running) => Promise<T>,
): Promise<T> {
  return withServer(uncached({ path: database }), async (server) => {
    await askUntilAnswered(server, READY);
    return work(`http://127.0.0.1:${server.port}`, server);
  });
}

/** Runs the program to its end. Rejects with `Refusal` if it fails. */
export async function run(...args: readonly string[]): Promise<Cost> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.err += part.toString()));
  let peak = 0;
  const closed = once(child, 'close');
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child.pid));
    await Promise.race([closed, sleep(20)]);
  }
  await closed;
  const seconds = (performance.now() - start) / 1000;
  if (child.exitCode === 0) return { seconds, peak, stdout: said.out };
  throw new Refusal(`"${args.join(' ')}" ended with ${child.exitCode}: ${said.err.trim()}`);
}

/** Returns the most memory that a process has had, in MB. Only Linux tells. */
export function peakOf(pid: number | undefined): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib ?? 0) * 1024) / 1e6;
  } catch {
    return 0; // it has just ended
  }
}
