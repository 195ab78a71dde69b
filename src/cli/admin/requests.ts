// Requests: counted by what the gateway says of each in its access log.

import type { Route } from '../../contract/api.ts';
import { endpointsOf } from '../../contract/endpoints.ts';
import { routes } from '../../contract/routes.ts';
import type { Log } from '../../gateway/log.ts';
import type { Into } from './measure.ts';

/** Takes the lines of an access log. */
export type Access = NonNullable<Log['access']>;

/** What a line says, as far as it is counted: nothing that tells whose request it was. */
interface Line {
  readonly method?: string;
  readonly route?: string;
  /** Left out where nobody was answered. */
  readonly status?: number;
  readonly duration_ms: number;
  readonly bytes: number;
  readonly complete: boolean;
}

/** In seconds: an answer that is kept takes a tenth of a millisecond, one of all memories some seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Makes the function that counts requests. */
export function countRequests({ prom, registry }: Into): Access {
  const registers = [registry];
  const requests = new prom.Counter({
    name: 'memory_gateway_requests_total',
    help: 'Requests that were answered, by endpoint, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new prom.Histogram({
    name: 'memory_gateway_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const sent = new prom.Counter({
    name: 'memory_gateway_sent_bytes_total',
    help: 'Bytes of bodies that were sent, as they left: compressed where they were.',
    labelNames: ['route'],
    registers,
  });
  const broken = new prom.Counter({
    name: 'memory_gateway_broken_total',
    help: 'Answers that did not leave to their end, as their reader left or they could not be made.',
    labelNames: ['route'],
    registers,
  });
  const refused = new prom.Counter({
    name: 'memory_gateway_refused_total',
    help: 'Requests and connections that were refused before there was a request to answer.',
    labelNames: ['status'],
    registers,
  });

  // So that the first request is seen as a step up from nothing.
  for (const route of [...endpointsOf<Route>(routes).map(({ name }) => name), 'none']) {
    seconds.zero({ route });
    sent.inc({ route }, 0);
    broken.inc({ route }, 0);
  }

  return (fields, message) => {
    const { route = 'none', method = '', status, duration_ms, bytes, complete } = fields as Line;
    // Asked behind the last request of a connection, or by who left before the answer.
    if (status === undefined) return;
    if (message === 'request refused') {
      refused.inc({ status });
      return;
    }
    requests.inc({ route, method: nameOf(method), status });
    seconds.observe({ route }, duration_ms / 1000);
    sent.inc({ route }, bytes);
    if (!complete) broken.inc({ route });
  };
}

/** Names a method; others than these are anything that callers think of. */
function nameOf(method: string): string {
  return method === 'GET' || method === 'HEAD' ? method : 'other';
}
