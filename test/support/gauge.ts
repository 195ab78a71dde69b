// Gauges of a process: its memory and its files as Linux tells them, its heap and its handles as it says itself.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { noLoading, ROOT, waitFor } from './program.ts';

/** Why a test that reads these is skipped, where it is. */
export const noGauges = process.platform !== 'linux' ? 'needs /proc of Linux' : noLoading;

/** The environment of a program that is to be asked for its heap. */
export const GAUGED = {
  NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(`${ROOT}test/support/gauged.ts`).href}`,
};

/** What a process holds. */
export interface Gauges {
  /** Bytes of memory that it has taken from the system. */
  readonly rss: number;
  /** Bytes that it uses of them, when what it does not is collected: what grows here is kept. */
  readonly heap: number;
  /** Open files and sockets. */
  readonly fds: number;
  /** What its event loop waits for. */
  readonly handles: number;
}

/** Asks a program that runs with `GAUGED` what it holds. */
export async function gauge(child: ChildProcessWithoutNullStreams): Promise<Gauges> {
  const said = waitFor(child, 'stderr', /"handles":\d+}/);
  child.kill('SIGUSR2');
  const [line = ''] = /{"heap".*}/.exec(await said) ?? [];
  const { heap, handles } = JSON.parse(line) as Pick<Gauges, 'heap' | 'handles'>;
  return { ...sizesOf(child.pid), heap, handles };
}

/** Reads what a process holds, from outside. */
export function sizesOf(pid: number | undefined): Pick<Gauges, 'rss' | 'fds'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return { rss: Number(kilobytes) * 1024, fds: readdirSync(`/proc/${pid}/fd`).length };
}

/** How many files this process may open at most. */
export function mostFiles(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]);
}

/** Bytes as people read them. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
