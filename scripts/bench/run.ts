// Runs the built program to its end, and says what it cost.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Refusal } from '../../src/store/refusal.ts';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

/** What a run of the program cost. */
export interface Cost {
  readonly seconds: number;
  /** The most memory that it had, in MB. */
  readonly peak: number;
  readonly stdout: string;
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
