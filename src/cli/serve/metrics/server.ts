// The metrics server: metrics and health checks on an address of their own, for the operator.

import { Failure } from '../../../contract/failure.ts';
import { toJson } from '../../../contract/json.ts';
import type { Answer } from '../../../gateway/pipeline.ts';
import { pathOf, isRead, methodNotAllowed } from '../../../gateway/request/route.ts';
import type { Content } from '../../../gateway/response/http-response.ts';
import { unavailable } from '../../../gateway/response/report.ts';
import { createHttp } from '../../../gateway/server/http.ts';
import { createServer, stopServer } from '../../../gateway/server/server.ts';
import type { ProgramLog } from '../../output/logger.ts';
import { urlOf, listenAt, type ListenAddress } from '../socket.ts';

/** What to serve, where, and with which log. */
export interface MetricsServerOptions {
  readonly bind: ListenAddress;
  readonly log: ProgramLog;
  /** Reads the metrics. */
  readonly read: () => Promise<Content>;
  /** Returns whether requests can be served. */
  readonly isReady: () => Promise<boolean>;
}

/** A server that listens. */
export interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** How long a scrape in flight may take at shutdown. */
const GRACE_MS = 1000;

/** Opens the server. Rejects with `Refusal`. */
export async function openMetricsServer({
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
