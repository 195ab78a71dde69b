// Servers: what is measured of the servers of a PostgreSQL database, each under its name; of a file there are none.

import type { Gateway } from '../../gateway/gateway.ts';
import type { ServerStats } from '../../store/store.ts';
import type { Into } from './measure.ts';

/** What is measured of each server, and what it is for several processes together. */
interface OfServer {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly together: 'sum' | 'min' | 'max';
  readonly read: (stats: ServerStats) => number | undefined;
}

const metrics: readonly OfServer[] = [
  gauge('connections', 'Connections to a server.', (stats) => stats.connections),
  gauge('idle_connections', 'Those that nobody uses.', (stats) => stats.idle),
  gauge('waiting', 'Statements that wait for a connection.', (stats) => stats.waiting),
  {
    ...gauge('lag_seconds', 'How far a replica is behind, where that is known.', ({ lagMs }) =>
      lagMs === undefined ? undefined : lagMs / 1000,
    ),
    together: 'max',
  },
  {
    ...gauge('used', '1 where memories are read from a server, else 0.', ({ isUsed }) =>
      Number(isUsed),
    ),
    together: 'min',
  },
  counter('reads_total', 'Reads that a server was asked for.', (stats) => stats.reads),
  counter('failed_total', 'Reads in which a replica failed.', (stats) => stats.failed),
  counter('behind_total', 'Reads of another state than the key told.', (stats) => stats.behind),
];

/** Measures the servers of a gateway. */
export function measureServers({ prom, registry }: Into, gateway: Pick<Gateway, 'stats'>): void {
  for (const { name, help, type, together, read } of metrics) {
    const options = { name, help, labelNames: ['server'], registers: [registry] };
    const values = () =>
      gateway.stats().servers.map((stats) => [{ server: stats.name }, read(stats)] as const);
    if (type === 'gauge') {
      const metric = new prom.Gauge({
        ...options,
        aggregator: together,
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

function gauge(name: string, help: string, read: OfServer['read']): OfServer {
  return { name: `memory_gateway_server_${name}`, help, type: 'gauge', together: 'sum', read };
}

function counter(name: string, help: string, read: OfServer['read']): OfServer {
  return { ...gauge(name, help, read), type: 'counter' };
}
