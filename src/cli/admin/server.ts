// The admin server: metrics and probes, for machines of the operator, beside the server of the API.

import type * as Prom from 'prom-client';

import { Failure } from '../../contract/failure.ts';
import { toJson } from '../../contract/json.ts';
import { pathOf } from '../../gateway/asked.ts';
import type { Exchange } from '../../gateway/exchange.ts';
import { createListener } from '../../gateway/listener.ts';
import { isRead, methodNotAllowed } from '../../gateway/match.ts';
import type { Found } from '../../gateway/reply.ts';
import { createReport, unavailable } from '../../gateway/report.ts';
import { createRespond } from '../../gateway/respond.ts';
import { createServer, stopServer } from '../../gateway/server.ts';
import { addressOf, listenAt, type Bind } from '../bind.ts';
import type { ProgramLog } from '../logger.ts';
import type { Samples } from './metrics.ts';

/** What is answered, where, and where it is logged. */
export interface AdminOptions {
  readonly prom: typeof Prom;
  readonly bind: Bind;
  readonly log: ProgramLog;
  /** Reads the metrics of every process. */
  readonly read: () => Promise<readonly Samples[]>;
  /** Whether requests can be answered. */
  readonly isReady: () => Promise<boolean>;
}

/** A server that listens. */
export interface Admin {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** How long a scrape that is on its way may take at the end. */
const GRACE_MS = 1000;

/** Opens the server. Fails with `Refusal`. */
export async function openAdmin({ bind, log, ...asked }: AdminOptions): Promise<Admin> {
  const { logger } = log;
  const report = { error: logger.error.bind(logger) };
  const state = { draining: false, closed: false };
  const judge = createReport(report, state);
  const listener = createListener({
    respond: createRespond(createAnswer(asked), judge),
    together: (work) => work(),
    report: judge,
    log: report,
    state,
    allowOrigins: [],
    findAddress: undefined,
    base: '',
  });
  const server = createServer(listener, report);
  await listenAt(server, bind, { host: '--admin', port: '--admin' });
  return { url: addressOf(server), close: () => stopServer(server, GRACE_MS) };
}

function createAnswer({ prom, ...from }: Omit<AdminOptions, 'bind' | 'log'>) {
  const read = shared(from.read);
  const isReady = shared(from.isReady);
  const answers: Readonly<Record<string, () => Found | Promise<Found>>> = {
    '/metrics': async () => {
      const metrics = prom.AggregatorRegistry.aggregate([...(await read())]);
      return { type: metrics.contentType, body: Buffer.from(await metrics.metrics()) };
    },
    '/healthz': () => ({ body: toJson({ status: 'up' }) }),
    '/readyz': async () => {
      if (await isReady()) return { body: toJson({ status: 'ready' }) };
      throw unavailable('cannot answer now');
    },
  };
  return ({ method, target }: Exchange) => {
    const path = pathOf(target);
    if (!Object.hasOwn(answers, path))
      throw new Failure(404, 'There is nothing at this path; the metrics are at /metrics.');
    if (!isRead(method)) throw methodNotAllowed();
    return (answers[path] as () => Found | Promise<Found>)();
  };
}

/** Lets all who ask at once wait for the same. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= read().finally(() => (running = undefined)));
}
