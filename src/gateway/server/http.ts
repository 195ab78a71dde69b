// createHttp: the HTTP entry points around a pipeline. The gateway and the metrics server both use it.

import type { AdapterOptions } from '../adapters/adapter.ts';
import { createFetch, type Fetch } from '../adapters/fetch.ts';
import { createListener, type Listener } from '../adapters/node.ts';
import { createFairMemory } from '../fair-share/held-bytes.ts';
import type { Schedule } from '../fair-share/time.ts';
import type { Log } from '../log.ts';
import { createPipeline, type Answer, type PipelineOptions } from '../pipeline.ts';
import { createReport } from '../response/report.ts';

/** Whether a gateway is shutting down. */
export interface HttpState {
  /** Responses close their connection. */
  readonly draining: boolean;
  /** Errors are 503 and not logged, because the store is closed. */
  readonly closed: boolean;
}

/** How requests are received and answered. */
export interface HttpOptions extends Partial<PipelineOptions> {
  readonly log: Log;
  readonly state?: HttpState;
  /** Runs each request. Default: at once. */
  readonly schedule?: Schedule;
  /** What precedes `/v1` in links. Default: the path at which the host has mounted the listener. */
  readonly base?: string | undefined;
  /** Returns whether a request is for a path of the gateway. Default: all are. */
  readonly isOwn?: AdapterOptions['isOwn'];
}

/** The HTTP entry points. */
export interface Http {
  readonly listener: Listener;
  readonly fetch: Fetch;
}

/** Creates the HTTP entry points. Throws `Refusal` if an option is invalid. */
export function createHttp(answer: Answer, options: HttpOptions): Http {
  const { log, base, isOwn } = options;
  const { state = { draining: false, closed: false }, schedule = (work) => work() } = options;
  const { report = createReport(log, state), memory = createFairMemory() } = options;
  const pipeline = createPipeline(answer, { ...options, report, memory });
  const adapter = { ...pipeline, schedule, report, log, state, base, isOwn };
  return { listener: createListener(adapter), fetch: createFetch(adapter) };
}
