// Process: what one takes of its machine, under the names that Prometheus' own clients give it.

import { readdirSync } from 'node:fs';

import type { Measured } from './measure.ts';

/** What is measured of this process. */
export const processMetrics: readonly Measured[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system.',
    type: 'counter',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory that is in use.',
    type: 'gauge',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_heap_bytes',
    help: 'Memory of the heap of JavaScript that is in use.',
    type: 'gauge',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'process_open_fds',
    help: 'Open files and sockets, where the system tells.',
    type: 'gauge',
    read: openFiles,
  },
  {
    name: 'process_start_time_seconds',
    help: 'When it started, in seconds since 1970.',
    type: 'gauge',
    together: 'min',
    read: () => performance.timeOrigin / 1000,
  },
];

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1; // that of this look itself
  } catch {
    return undefined;
  }
}
