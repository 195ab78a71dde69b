// The metrics of this process, and the server that shows them.

import type { Gateway } from '../../../gateway/gateway.ts';
import type { RunningServer, ServeOptions } from '../listen.ts';
import type { ListenAddress } from '../socket.ts';
import { countRequests, type OnAccess } from './requests.ts';
import { openMetricsServer, type MetricsServer } from './server.ts';
import {
  addMetrics,
  databaseServerMetrics,
  eventLoopMetrics,
  processMetrics,
  serviceMetrics,
  servingMetrics,
} from './values.ts';

/** The metrics of a process, and their server. */
export interface ProcessMetrics extends MetricsServer {
  /** Counts a request from its access log entry. */
  readonly access: OnAccess;
  /** Starts to measure a gateway and its server. */
  readonly watch: (listening: RunningServer) => void;
}

/** Opens the metrics server of this process. Rejects with `Refusal`. */
export async function openMetrics(
  bind: ListenAddress,
  { database, log }: Pick<ServeOptions, 'database' | 'log'>,
): Promise<ProcessMetrics> {
  const prom = await import('prom-client');
  const into = { prom, registry: new prom.Registry() };
  let gateway: Gateway | undefined; // opened after this server listens
  const access = countRequests(into);
  const loop = eventLoopMetrics();
  addMetrics(into, [...loop.metrics, ...processMetrics, ...serviceMetrics(database)]);
  const read = async () => {
    const text = await into.registry.metrics();
    loop.reset();
    return { type: into.registry.contentType, body: Buffer.from(text) };
  };
  const isReady = async () => (await gateway?.ready()) ?? false;
  const server = await openMetricsServer({ bind, log, read, isReady });
  return {
    url: server.url,
    access,
    watch(listening) {
      gateway = listening.gateway;
      addMetrics(into, [...servingMetrics(listening), ...databaseServerMetrics(gateway)]);
    },
    close() {
      loop.end();
      return server.close();
    },
  };
}
