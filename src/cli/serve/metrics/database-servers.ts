// Metrics of the database servers that a gateway reads from.

import type { Gateway } from '../../../gateway/gateway.ts';
import type { ServerStats } from '../../../store/servers.ts';
import type { MetricTarget } from './metric.ts';

/** A metric of each database server. */
interface DatabaseServerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly read: (stats: ServerStats) => number | undefined;
}

const metrics: readonly DatabaseServerMetric[] = [
  gauge('connections', 'Open connections to a database server.', (stats) => stats.connections),
  gauge('idle_connections', 'Idle connections to a database server.', (stats) => stats.idle),
  gauge('waiting', 'Statements that wait for a connection.', (stats) => stats.waiting),
  gauge('lag_seconds', 'Replication lag, if known.', ({ lagMs }) =>
    lagMs === undefined ? undefined : lagMs / 1000,
  ),
  gauge('used', '1 if memories are read from the server, otherwise 0.', ({ isUsed }) =>
    Number(isUsed),
  ),
  counter('reads_total', 'Reads sent to a server.', (stats) => stats.reads),
  counter('failed_total', 'Reads that failed on a replica.', (stats) => stats.failed),
  counter(
    'behind_total',
    'Stale replica reads that were repeated on the primary.',
    (stats) => stats.behind,
  ),
];

/** Adds the metrics of a gateway's database servers. */
export function addDatabaseServerMetrics(
  { prom, registry }: MetricTarget,
  gateway: Pick<Gateway, 'stats'>,
): void {
  for (const { name, help, type, read } of metrics) {
    const options = { name, help, labelNames: ['server'], registers: [registry] };
    const values = () =>
      gateway.stats().servers.map((stats) => [{ server: stats.name }, read(stats)] as const);
    if (type === 'gauge') {
      const metric = new prom.Gauge({
        ...options,
        collect() {
          metric.reset();
          for (const [labels, value] of values())
            if (value !== undefined) metric.set(labels, value);
        },
      });
    } else {
      const metric = new prom.Counter({
        ...options,
        collect() {
          metric.reset();
          for (const [labels, value] of values()) metric.inc(labels, value);
        },
      });
    }
  }
}

function gauge(
  name: string,
  help: string,
  read: DatabaseServerMetric['read'],
): DatabaseServerMetric {
  return { name: `memory_gateway_server_${name}`, help, type: 'gauge', read };
}

function counter(
  name: string,
  help: string,
  read: DatabaseServerMetric['read'],
): DatabaseServerMetric {
  return { ...gauge(name, help, read), type: 'counter' };
}
