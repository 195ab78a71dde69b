// Counts requests from the entries of the access log.

import { httpEndpoints } from '../../../contract/file-routes.ts';
import type { Log } from '../../../gateway/log.ts';
import type { MetricTarget } from './values.ts';

/** Called with each entry of the access log. */
export type OnAccess = NonNullable<Log['access']>;

/** The fields of an access log entry that are counted. None identifies the account. */
interface AccessEntry {
  readonly method?: string;
  readonly route?: string;
  /** Absent if there was no response. */
  readonly status?: number;
  readonly duration_ms: number;
  readonly bytes: number;
  readonly complete: boolean;
}

/** In seconds: a cached response takes a tenth of a millisecond, a list of all memories several seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Creates the function that counts requests. */
export function countRequests({ prom, registry }: MetricTarget): OnAccess {
  const registers = [registry];
  const requests = new prom.Counter({
    name: 'memory_gateway_requests_total',
    help: 'Requests with a response, by endpoint, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new prom.Histogram({
    name: 'memory_gateway_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const sent = new prom.Counter({
    name: 'memory_gateway_sent_bytes_total',
    help: 'Bytes of response bodies sent, after compression.',
    labelNames: ['route'],
    registers,
  });
  const broken = new prom.Counter({
    name: 'memory_gateway_broken_total',
    help: 'Responses that were not sent completely, because the client left or reading failed.',
    labelNames: ['route'],
    registers,
  });
  const refused = new prom.Counter({
    name: 'memory_gateway_refused_total',
    help: 'Requests and connections refused before there was a valid request.',
    labelNames: ['status'],
    registers,
  });

  // Start at zero, so that Prometheus sees the first request as an increase.
  for (const route of [...httpEndpoints.map(({ name }) => name), 'none']) {
    seconds.zero({ route });
    sent.inc({ route }, 0);
    broken.inc({ route }, 0);
  }

  return (fields, message) => {
    const {
      route = 'none',
      method = '',
      status,
      duration_ms,
      bytes,
      complete,
    } = fields as AccessEntry;
    // A request after the last one allowed on its connection, or of a client that left before the response.
    if (status === undefined) return;
    if (message === 'request refused') {
      refused.inc({ status });
      return;
    }
    requests.inc({ route, method: methodLabel(method), status });
    seconds.observe({ route }, duration_ms / 1000);
    sent.inc({ route }, bytes);
    if (!complete) broken.inc({ route });
  };
}

/** Returns a method as a label. Clients can send any method, so all others share one label. */
function methodLabel(method: string): string {
  return ['GET', 'HEAD', 'POST'].includes(method) ? method : 'other';
}
