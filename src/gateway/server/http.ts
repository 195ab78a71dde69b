// createHttp: the HTTP entry points around a request handler. The gateway and the metrics server both use it.

import { createFetch, type Fetch } from '../adapters/fetch.ts';
import { createListener, type Listener } from '../adapters/node.ts';
import type { Log } from '../log.ts';
import type { FindClientIp } from '../request/client-ip.ts';
import { createReadRequest } from '../request/request.ts';
import {
  createReport,
  createRespond,
  type AdapterOptions,
  type HandleRequest,
  type Report,
  type PipelineOptions,
} from '../response/respond.ts';
import type { Schedule } from '../scheduler.ts';

/** Whether a gateway is shutting down. */
export interface HttpState {
  /** Responses close their connection. */
  readonly draining: boolean;
  /** Errors are 503 and not logged, because the store is closed. */
  readonly closed: boolean;
}

/** How requests are received and answered. */
export interface HttpOptions extends PipelineOptions {
  readonly log: Log;
  readonly state?: HttpState;
  /** Runs each request. Default: at once. */
  readonly schedule?: Schedule;
  /** What precedes `/v1` in links. Default: the path at which the host has mounted the listener. */
  readonly base?: string | undefined;
  /** Origins whose pages may read responses. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Returns whether a request is for a path of the gateway. Default: all are. */
  readonly isOwn?: AdapterOptions['isOwn'];
  /** Finds the caller's address. Default: it is not needed. */
  readonly findClientIp?: FindClientIp | undefined;
  /** Whether the access log has the caller's address. Default: false. */
  readonly logAddress?: boolean;
}

/** The HTTP entry points. */
export interface Http {
  readonly listener: Listener;
  readonly fetch: Fetch;
  readonly report: Report;
}

/** Creates the HTTP entry points. Throws `Refusal` if an option is invalid. */
export function createHttp(handle: HandleRequest, options: HttpOptions): Http {
  const { log, base, allowOrigins = [], findClientIp, isOwn, logAddress = false } = options;
  const { state = { draining: false, closed: false }, schedule = (work) => work() } = options;
  const report = createReport(log, state);
  const adapter = {
    readRequest: createReadRequest({ allowOrigins, findClientIp, logAddress }),
    respond: createRespond(handle, report, options),
    schedule,
    report,
    log,
    state,
    base,
    isOwn,
  };
  return { listener: createListener(adapter), fetch: createFetch(adapter), report };
}
