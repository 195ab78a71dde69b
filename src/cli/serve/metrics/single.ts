// The metrics server of a single process.

import type { Gateway } from '../../../gateway/gateway.ts';
import type { ServeOptions } from '../listen.ts';
import { createMetrics, loadProm, type ProcessMetrics } from './registry.ts';
import { openMetricsServer, type MetricsServer, type MetricsServerOptions } from './server.ts';

/** The metrics server of this process, and what it counts. */
export interface SingleMetricsServer
  extends MetricsServer, Pick<ProcessMetrics, 'access' | 'watch'> {}

/** Opens the metrics server of this process. Rejects with `Refusal`. */
export async function openSingleMetrics(
  bind: MetricsServerOptions['bind'],
  { database, log }: Pick<ServeOptions, 'database' | 'log'>,
): Promise<SingleMetricsServer> {
  const prom = await loadProm();
  let gateway: Gateway | undefined; // opened after this server listens
  const { access, watch, read } = createMetrics(prom, {
    database,
    workers: 1,
    responding: () => 1,
  });
  const server = await openMetricsServer({
    prom,
    bind,
    log,
    read: async () => [await read()],
    isReady: async () => (await gateway?.ready()) ?? false,
  });
  return {
    ...server,
    access,
    watch(listening) {
      gateway = listening.gateway;
      watch(listening);
    },
  };
}
