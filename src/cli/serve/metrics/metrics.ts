// The metrics of this process, and the server that shows them.

import { Failure } from '../../../contract/failure.ts';
import { toJson } from '../../../contract/json.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import type { Answer } from '../../../gateway/pipeline.ts';
import { isRead, methodNotAllowed, pathOf } from '../../../gateway/request/route.ts';
import type { Content } from '../../../gateway/response/http-response.ts';
import { unavailable } from '../../../gateway/response/report.ts';
import { createHttp } from '../../../gateway/server/http.ts';
import { createServer, stopServer } from '../../../gateway/server/server.ts';
import type { ProgramLog } from '../../output/logger.ts';
import type { RunningServer, ServeOptions } from '../listen/listen.ts';
import { type ListenAddress, listenAt, urlOf } from '../listen/socket.ts';
import { countRequests, type OnAccess } from './requests.ts';
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

/** What to serve, where, and with which log. */
interface MetricsServerOptions {
  readonly bind: ListenAddress;
  readonly log: ProgramLog;
  /** Reads the metrics. */
  readonly read: () => Promise<Content>;
  /** Returns whether requests can be served. */
  readonly isReady: () => Promise<boolean>;
}

/** A server that listens. */
interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** How long a scrape in flight may take at shutdown. */
const GRACE_MS = 1000;

/** Opens the server. Rejects with `Refusal`. */
async function openMetricsServer({
  bind,
  log: { logger },
  ...options
}: MetricsServerOptions): Promise<MetricsServer> {
  const log = { error: logger.error.bind(logger) };
  const { listener } = createHttp(createHandle(options), { log });
  const server = createServer(listener, log);
  await listenAt(server, bind, { host: '--admin', port: '--admin' });
  return { url: urlOf(server), close: () => stopServer(server, GRACE_MS) };
}

function createHandle({ read, isReady }: Pick<MetricsServerOptions, 'read' | 'isReady'>): Answer {
  const endpoints = new Map<string, () => Content | Promise<Content>>([
    ['/metrics', read],
    ['/healthz', () => ({ body: toJson({ status: 'up' }) })],
    [
      '/readyz',
      async () => {
        if (await isReady()) return { body: toJson({ status: 'ready' }) };
        throw unavailable('cannot answer now');
      },
    ],
  ]);
  return ({ method }, target) => {
    const endpoint = endpoints.get(pathOf(target));
    if (endpoint === undefined)
      throw new Failure(404, 'There is nothing at this path; the metrics are at /metrics.');
    if (!isRead(method)) throw methodNotAllowed();
    return endpoint();
  };
}
