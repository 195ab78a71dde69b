// The transport of a request: the response object of node:http, a web Request, or the signal of a call in the same process.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { Failure } from '../../contract/failure.ts';
import { valuesOf, type Headers } from './headers.ts';

/** What proxies add to a request. Whether one is ours to trust does not matter: it may stand before callers elsewhere, who know another address. */
export const ADDED_BY_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** The transport of a request over HTTP. */
export type HttpTransport = ServerResponse | Request;

/** The transport of a request or call. */
export type Transport = ServerResponse | { readonly signal: AbortSignal | undefined };

/** Returns whether the caller has left. */
export function hasLeft(transport: Transport): boolean {
  return 'signal' in transport ? transport.signal?.aborted === true : transport.destroyed;
}

/** Creates the failure of a call whose caller has left. */
export function callerLeft(): Failure {
  return new Failure(400, 'The caller has closed the connection.');
}

/** Returns whether a transport is a web `Request`, whose host is responsible for framing and bodies. */
export function isWeb(transport: HttpTransport): transport is Request {
  return 'signal' in transport;
}

/** Returns the request as the host has passed it on. */
export function sourceOf(transport: HttpTransport): Request | IncomingMessage {
  return isWeb(transport) ? transport : transport.req;
}

/** Returns whether the connection itself is encrypted. Behind a TLS proxy it is not. */
export function isEncrypted(transport: HttpTransport): boolean {
  if (isWeb(transport)) return transport.url.startsWith('https:');
  return Reflect.get(transport.req.socket, 'encrypted') === true;
}

/** A request, as far as its address is concerned. */
interface Addressed {
  readonly headers: Headers;
  readonly transport: HttpTransport;
}

/** Returns the address that a request was sent to, by its Host header. Null if that has none. */
export function requestedUrl(
  { headers, transport }: Addressed,
  isHttps = isEncrypted(transport),
): URL | null {
  const [host = authorityOf(transport)] = valuesOf(headers, 'host');
  return URL.parse(`${isHttps ? 'https' : 'http'}://${host}`);
}

/** Returns the host and port of a web `Request`, which may have no Host header. */
function authorityOf(transport: HttpTransport): string | undefined {
  if (!isWeb(transport)) return undefined;
  const { url } = transport;
  return url.slice(url.indexOf('://') + 3, pathStart(url));
}

/** Returns where the path of a complete, normalized URL starts. It has at least a "/". */
export function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('://') + 3);
}

/** Returns a signal that aborts when the caller leaves before the end of the response. */
export function signalOf(transport: HttpTransport): AbortSignal {
  if (isWeb(transport)) return transport.signal;
  const controller = new AbortController();
  onClose(transport, () => {
    if (!transport.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Calls back when a response is closed, at once if it is. */
export function onClose(response: ServerResponse, callback: () => void): void {
  if (response.closed) callback();
  else response.once('close', callback);
}
