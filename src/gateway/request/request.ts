// The request as it passes through the pipeline: plain data, of which only the trace changes.

import type { Trace } from '../log.ts';
import type { ContentEncoding } from './encoding.ts';
import type { Condition } from './etag.ts';
import type { Headers } from './headers.ts';
import type { HttpTransport } from './transport.ts';

/** A request as an entry point receives it. */
export interface Head {
  readonly method: string;
  /** Name, value, name, value, … in the order and spelling of the caller. */
  readonly headers: readonly string[];
  /** What precedes `/v1` in links: nothing, a path, or an origin with a path. */
  readonly base: string;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  readonly transport: HttpTransport;
}

/** A request. Only its trace changes while it is processed. */
export interface GatewayRequest extends Omit<Head, 'headers'> {
  /** The `x-request-id` of the response, which every log entry about the request has too. */
  readonly id: string;
  readonly headers: Headers;
  /** The content encoding that the caller prefers of those the gateway has. */
  readonly encoding: ContentEncoding | undefined;
  /** What the caller already has. Undefined if the request is unconditional. */
  readonly condition: Condition | undefined;
  /** The CORS headers of the response. */
  readonly cors: readonly string[];
  /** The caller's address. Only the rate limit and the access log need it. */
  readonly clientIp: string | undefined;
  readonly trace: Trace;
}
