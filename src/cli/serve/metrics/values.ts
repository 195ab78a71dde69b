// Metrics whose values are read at each scrape: of the process, its event loop, its gateway and its database.

import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';

import type * as Prom from 'prom-client';

import type { Gateway } from '../../../gateway/gateway.ts';
import type { Awaitable } from '../../../lib/async.ts';
import { engineOf, sqliteVersion } from '../../../store/engines.ts';
import type { ServerStats } from '../../../store/servers.ts';
import { VERSION } from '../../../version.ts';
import type { RunningServer } from '../listen/listen.ts';

/** The metrics library, and the registry to add metrics to. */
export interface MetricTarget {
  readonly prom: typeof Prom;
  readonly registry: Prom.Registry;
}

/** The values of a metric with their labels. A value that is undefined is unknown, and not shown. */
type Values = readonly (readonly [labels: Record<string, string>, value: number | undefined])[];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly read: () => Awaitable<Values | number | undefined>;
}

/** Adds metrics to a registry. Those whose names end in `_total` are counters. */
export function addMetrics({ prom, registry }: MetricTarget, all: readonly Metric[]): void {
  for (const { read, labelNames = [], ...named } of all) {
    const Kind = named.name.endsWith('_total') ? prom.Counter : prom.Gauge;
    const metric = new Kind({
      ...named,
      labelNames,
      registers: [registry],
      async collect() {
        const values = await read();
        metric.reset();
        for (const [labels, value] of typeof values === 'object' ? values : [[{}, values] as const])
          if (value === undefined) metric.remove(labels);
          else metric.inc(labels, value);
      },
    });
  }
}

function toMetric(name: string, help: string, read: Metric['read']): Metric {
  return { name, help, read };
}

/** Metrics of this process, under the names that Prometheus' own clients use. */
export const processMetrics: readonly Metric[] = [
  toMetric('process_cpu_seconds_total', 'User and system CPU time.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }),
  toMetric('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
  toMetric(
    'process_heap_bytes',
    'Used memory of the JavaScript heap.',
    () => process.memoryUsage().heapUsed,
  ),
  toMetric('process_open_fds', 'Open files and sockets (Linux only).', openFiles),
  toMetric(
    'process_start_time_seconds',
    'Start time, in seconds since 1970.',
    () => performance.timeOrigin / 1000,
  ),
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

/** Measures the lag of the event loop from the last `reset` to `end`. */
export function eventLoopMetrics() {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const lag = (name: string, what: string, nanoseconds: () => number) =>
    toMetric(
      `memory_gateway_event_loop_lag_${name}_seconds`,
      `Lag of the event loop since the last scrape: ${what}.`,
      () => Math.max(0, nanoseconds() / 1e9 - RESOLUTION_MS / 1000),
    );
  const metrics: readonly Metric[] = [
    lag('p50', 'the median', () => loop.percentile(50)),
    lag('p99', 'the 99th percentile', () => loop.percentile(99)),
    lag('max', 'the maximum', () => loop.max),
  ];
  return { metrics, reset: () => loop.reset(), end: () => void loop.disable() };
}

/** Metrics of a gateway and its HTTP server. */
export function servingMetrics({ gateway, server }: RunningServer): readonly Metric[] {
  const cache = () => gateway.stats().cache;
  return [
    toMetric(
      'memory_gateway_ready',
      '1 if requests can be served, as /readyz says, otherwise 0.',
      async () => Number(await gateway.ready()),
    ),
    toMetric(
      'memory_gateway_connections',
      'Open connections.',
      promisify(server.getConnections.bind(server)),
    ),
    toMetric(
      'memory_gateway_cache_hits_total',
      'Responses found in the cache.',
      () => cache().hits,
    ),
    toMetric(
      'memory_gateway_cache_misses_total',
      'Responses not found in the cache.',
      () => cache().misses,
    ),
    toMetric('memory_gateway_cache_entries', 'Responses in the cache.', () => cache().entries),
    toMetric('memory_gateway_cache_bytes', 'Memory used by the cache.', () => cache().bytes),
  ];
}

/** Metrics of the database servers that a gateway reads from. */
export function databaseServerMetrics({ stats }: Pick<Gateway, 'stats'>): readonly Metric[] {
  const each = (
    name: string,
    help: string,
    read: (server: ServerStats) => number | undefined,
  ): Metric => ({
    ...toMetric(`memory_gateway_server_${name}`, help, () =>
      stats().servers.map((server) => [{ server: server.name }, read(server)] as const),
    ),
    labelNames: ['server'],
  });
  return [
    each('connections', 'Open connections to a database server.', (of) => of.connections),
    each('idle_connections', 'Idle connections to a database server.', (of) => of.idle),
    each('waiting', 'Statements that wait for a connection.', (of) => of.waiting),
    each('lag_seconds', 'Replication lag, if known.', ({ lagMs }) =>
      lagMs === undefined ? undefined : lagMs / 1000,
    ),
    each('used', '1 if memories are read from the server, otherwise 0.', (of) => Number(of.isUsed)),
    each('reads_total', 'Reads sent to a server.', (of) => of.reads),
    each('failed_total', 'Reads that failed on a replica.', (of) => of.failed),
    each(
      'behind_total',
      'Stale replica reads that were repeated on the primary.',
      (of) => of.behind,
    ),
  ];
}

/** Metrics of the program and its database. */
export function serviceMetrics(database: string): readonly Metric[] {
  const about = { version: VERSION, node: process.versions.node, sqlite: sqliteVersion() };
  const sizes = () => engineOf(database).sizes();
  return [
    {
      name: 'memory_gateway_build_info',
      help: 'Always 1, with the versions as labels.',
      labelNames: Object.keys(about),
      read: () => [[about, 1]],
    },
    toMetric(
      'memory_gateway_database_bytes',
      'Size of the database file.',
      () => sizes()?.fileBytes,
    ),
    toMetric(
      'memory_gateway_wal_bytes',
      'Size of the write-ahead log next to the database file.',
      () => sizes()?.logBytes, // of the file itself if the path is a link
    ),
  ];
}
