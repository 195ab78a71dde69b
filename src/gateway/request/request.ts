// The request as both HTTP entry points hand it on: its headers read once, and a trace for the access log.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Trace } from '../log.ts';
import type { ReadBody } from './body.ts';
import type { FindClientIp } from './client-ip.ts';
import { corsHeaders } from './cors.ts';
import { createNegotiate, type ContentEncoding } from './encoding.ts';
import { readIfNoneMatch, type Condition } from './etag.ts';
import { readHeaders, valuesOf, type Headers } from './headers.ts';

/** A request. Only its trace changes while it is processed. */
export interface GatewayRequest {
  /** The `x-request-id` of the response, which every log entry about the request has too. */
  readonly id: string;
  readonly method: string;
  readonly headers: Headers;
  /** The content encoding that the caller prefers of those the gateway has. */
  readonly encoding: ContentEncoding | undefined;
  readonly condition: Condition;
  /** The CORS headers of the response. */
  readonly cors: readonly string[];
  /** What precedes `/v1` in links: nothing, a path, or an origin with a path. */
  readonly base: string;
  /** The caller's address. Only the rate limit and the access log need it. */
  readonly clientIp: string | undefined;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** Whether the connection itself is encrypted. Behind a TLS proxy it is not. */
  readonly isTls: boolean;
  /** The host and port of a web `Request`, which may have no Host header. */
  readonly authority: string | undefined;
  /** The request as the host has passed it on. */
  readonly source: Request | IncomingMessage;
  readonly readBody: ReadBody;
  /** Whether the caller has left. */
  readonly isAborted: () => boolean;
  /** Returns a signal that aborts when the caller leaves. */
  readonly abortSignal: () => AbortSignal;
  readonly trace: Trace;
}

/** A request as an entry point receives it. */
export interface RawRequest {
  readonly method: string;
  /** Name, value, name, value, … in the order and spelling of the caller. */
  readonly headers: readonly string[];
  readonly base: string;
  /** The address at the other end of the connection. */
  readonly peer?: string | undefined;
  readonly isTls: boolean;
  readonly authority?: string | undefined;
  readonly source: Request | IncomingMessage;
  readonly readBody: ReadBody;
  readonly isAborted: () => boolean;
  readonly abortSignal: () => AbortSignal;
}

/** Reads the headers of a request, and creates its id and its trace. */
export type ReadRequest = (raw: RawRequest) => GatewayRequest;

/** How a gateway reads requests. */
export interface ReadRequestOptions {
  /** Origins whose pages may read responses. */
  readonly allowOrigins: readonly string[];
  readonly findClientIp: FindClientIp | undefined;
  readonly logAddress: boolean;
}

/** Creates the function that reads requests. */
export function createReadRequest(options: ReadRequestOptions): ReadRequest {
  const { allowOrigins, findClientIp, logAddress } = options;
  const negotiate = createNegotiate();
  return (raw) => {
    const { method, base, peer } = raw;
    const headers = readHeaders(raw.headers);
    const encoding = negotiate(valuesOf(headers, 'accept-encoding'));
    const clientIp = findClientIp?.(peer, headers);
    return {
      id: randomUUID(),
      method,
      headers,
      encoding,
      condition: readIfNoneMatch(valuesOf(headers, 'if-none-match'), encoding),
      cors: corsHeaders(allowOrigins, headers),
      base,
      clientIp,
      peer,
      isTls: raw.isTls,
      authority: raw.authority,
      source: raw.source,
      readBody: raw.readBody,
      isAborted: raw.isAborted,
      abortSignal: raw.abortSignal,
      trace: logAddress ? { bytes: 0, address: clientIp } : { bytes: 0 },
    };
  };
}
