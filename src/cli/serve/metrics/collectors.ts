// Metrics of the process, its gateway, its program and its database.

import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';

import type { CacheStats } from '../../../gateway/response/cache.ts';
import { engineOf, sqliteVersion } from '../../../store/engines.ts';
import { VERSION } from '../../../version.ts';
import type { RunningServer } from '../listen.ts';
import type { Metric } from './metric.ts';
import { addMetrics, type MetricTarget } from './metric.ts';

/** Metrics of this process, under the names that Prometheus' own clients use. */
export const processMetrics: readonly Metric[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time.',
    type: 'counter',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    type: 'gauge',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_heap_bytes',
    help: 'Used memory of the JavaScript heap.',
    type: 'gauge',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'process_open_fds',
    help: 'Open files and sockets (Linux only).',
    type: 'gauge',
    read: openFiles,
  },
  {
    name: 'process_start_time_seconds',
    help: 'Start time, in seconds since 1970.',
    type: 'gauge',
    read: () => performance.timeOrigin / 1000,
  },
];

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1; // without the one that lists them
  } catch {
    return undefined;
  }
}

/** The interval between measurements, which the measured delay includes. */
const RESOLUTION_MS = 20;

/** The metrics of the event loop, from the last `reset` to `end`. */
export interface EventLoopMetrics {
  readonly metrics: readonly Metric[];
  reset(): void;
  end(): void;
}

/** Measures the lag of the event loop. */
export function eventLoopMetrics(): EventLoopMetrics {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const toLag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  const metric = (name: string, what: string, read: () => number): Metric => ({
    name: `memory_gateway_event_loop_lag_${name}_seconds`,
    help: `Lag of the event loop since the last scrape: ${what}.`,
    type: 'gauge',
    read: () => toLag(read()),
  });
  return {
    metrics: [
      metric('p50', 'the median', () => loop.percentile(50)),
      metric('p99', 'the 99th percentile', () => loop.percentile(99)),
      metric('max', 'the maximum', () => loop.max),
    ],
    reset: () => loop.reset(),
    end: () => void loop.disable(),
  };
}

/** Metrics of a gateway and its HTTP server. */
export function servingMetrics({ gateway, server }: RunningServer): readonly Metric[] {
  const ofCache = (count: keyof CacheStats) => () => gateway.stats().cache[count];
  return [
    {
      name: 'memory_gateway_ready',
      help: '1 if requests can be served, as /readyz says, otherwise 0.',
      type: 'gauge',
      read: async () => Number(await gateway.ready()),
    },
    {
      name: 'memory_gateway_connections',
      help: 'Open connections.',
      type: 'gauge',
      read: promisify(server.getConnections.bind(server)),
    },
    {
      name: 'memory_gateway_cache_hits_total',
      help: 'Responses found in the cache.',
      type: 'counter',
      read: ofCache('hits'),
    },
    {
      name: 'memory_gateway_cache_misses_total',
      help: 'Responses not found in the cache.',
      type: 'counter',
      read: ofCache('misses'),
    },
    {
      name: 'memory_gateway_cache_entries',
      help: 'Responses in the cache.',
      type: 'gauge',
      read: ofCache('entries'),
    },
    {
      name: 'memory_gateway_cache_bytes',
      help: 'Memory used by the cache.',
      type: 'gauge',
      read: ofCache('bytes'),
    },
  ];
}

/** Adds the metrics of the program and its database. */
export function addServiceMetrics(into: MetricTarget, database: string): void {
  const { prom, registry } = into;
  const about = { version: VERSION, node: process.versions.node, sqlite: sqliteVersion() };
  new prom.Gauge({
    name: 'memory_gateway_build_info',
    help: 'Always 1, with the versions as labels.',
    labelNames: Object.keys(about),
    registers: [registry],
  }).set(about, 1);
  addMetrics(into, [
    {
      name: 'memory_gateway_database_bytes',
      help: 'Size of the database file.',
      type: 'gauge',
      read: () => engineOf(database).sizes()?.fileBytes,
    },
    {
      name: 'memory_gateway_wal_bytes',
      help: 'Size of the write-ahead log next to the database file.',
      type: 'gauge',
      read: () => engineOf(database).sizes()?.logBytes, // of the file itself if the path is a link
    },
  ]);
}
