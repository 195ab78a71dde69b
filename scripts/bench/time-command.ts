// Measures a program from its start to its end, by the clock and in CPU time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { Refusal } from '../../src/store/refusal.ts';

/** The cost of a program. */
export interface Timed {
  readonly seconds: number;
  /** User and system time. */
  readonly cpuUs: number;
}

// Node reports its own CPU time, but not that of its children. Every shell does.
const SCRIPT = '"$@" >&2 || exit; times';

/** Runs a command to its end. Rejects with `Refusal` if it fails. */
export async function timed(command: readonly string[]): Promise<Timed> {
  const start = performance.now();
  const child = spawn('sh', ['-c', SCRIPT, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', LC_ALL: 'C' },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.err = (said.err + part.toString()).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - start) / 1000;
  const cpuUs = readTimes(said.out);
  if (code === 0 && cpuUs !== undefined) return { seconds, cpuUs };
  throw new Refusal(`${command.join(' ')} ended with ${code}: ${said.err.trim()}`);
}

/**
 * Parses the output of `times`: a line for the shell, and one for its children, as in `0m1.25s
 * 0m0.10s`.
 */
export function readTimes(printed: string): number | undefined {
  const ran = printed.trim().split('\n')[1] ?? '';
  const parts = Array.from(ran.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) => {
    return Number(minutes) * 60 + Number(seconds);
  });
  const [user, system] = parts;
  return user === undefined || system === undefined ? undefined : (user + system) * 1e6;
}
