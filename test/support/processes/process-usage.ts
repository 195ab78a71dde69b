// The memory, files, heap and handles of a process.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { noLoading, ROOT, waitFor } from '../world/program.ts';

/** The reason to skip a test that reads /proc, or false. */
export const noGauges = process.platform !== 'linux' ? 'needs /proc of Linux' : noLoading;

/** The environment of a program whose heap is measured. */
export const GAUGED = {
  NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(`${ROOT}test/support/processes/process-usage-preload.ts`).href}`,
};

/** The resources of a process. */
export interface Gauges {
  /** Resident memory in bytes. */
  readonly rss: number;
  /** Used heap after garbage collection, in bytes: growth here is a leak. */
  readonly heap: number;
  /** Open files and sockets. */
  readonly fds: number;
  /** The number of resources that keep its event loop running. */
  readonly handles: number;
}

/** Requests the resources of a program that runs with `GAUGED`. */
export async function gauge(child: ChildProcessWithoutNullStreams): Promise<Gauges> {
  const said = waitFor(child, 'stderr', /"handles":\d+}/);
  child.kill('SIGUSR2');
  const [line = ''] = /{"heap".*}/.exec(await said) ?? [];
  const { heap, handles } = JSON.parse(line) as Pick<Gauges, 'heap' | 'handles'>;
  return { ...sizesOf(child.pid), heap, handles };
}

/** Reads the resources of a process from outside. */
export function sizesOf(pid: number | undefined): Pick<Gauges, 'rss' | 'fds'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return { rss: Number(kilobytes) * 1024, fds: readdirSync(`/proc/${pid}/fd`).length };
}

/** Returns how many files this process may open. */
export function mostFiles(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]);
}

/** Formats bytes in megabytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
