// Runs one request through the authorization server in the same process, and returns its whole response.

import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

import type { Provider } from 'oidc-provider';

/** A request for the authorization server. */
export interface ServerRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the issuer, with its query. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** Its response. */
export interface ServerReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * Runs a request. `prepare` gets the request before it runs, so that the settings of the server recognise it.
 * The server never sees the connection, the cookies or the headers of the caller, except those that are passed.
 */
export async function callServer(
  provider: Provider,
  { method, target, headers, body }: ServerRequest,
  prepare: (request: IncomingMessage) => void = () => {},
): Promise<ServerReply> {
  const { protocol, host, pathname } = new URL(provider.issuer);
  const socket = Object.assign(new Socket(), { encrypted: protocol === 'https:' });
  const request = new IncomingMessage(socket);
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  Object.assign(request, {
    method,
    url: target,
    // Where the server is mounted: it takes the rest of the path off this one.
    originalUrl: pathname + target,
    headers: { ...headers, ...length, host },
  });
  if (body !== undefined) request.push(body);
  request.push(null);
  prepare(request);
  const response = new ServerResponse(request);
  let sent = Buffer.alloc(0);
  response.end = (chunk?: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array)
      sent = Buffer.from(chunk as string);
    return response;
  };
  await provider.callback()(request, response);
  return { status: response.statusCode, headers: response.getHeaders(), body: sent };
}
