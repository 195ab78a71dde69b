// Framing and Host: refuses what Node's parser accepts and RFC 9112 forbids, before anything else is checked.

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { trimSpace, valuesOf, type Headers } from './headers.ts';
import type { GatewayRequest } from './request.ts';
import { pathStart } from './transport.ts';

// RFC 3986 §3.2.2 and §3.2.3, without the comma, with which some servers join two Host lines into one.
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d*)?$/i;
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** The most header lines of a request. From 1,000 lines on, Node silently drops lines, framing included. */
export const MAX_HEADER_LINES = 900;

/** A request, as far as its framing is checked. */
export type Framed = Pick<GatewayRequest, 'headers' | 'transport'>;

/** Returns the request target in origin-form. Throws a 4xx or 5xx if the request's framing is ambiguous. */
export function readTarget({ headers, transport }: Framed): string {
  if ('signal' in transport) return webTarget(transport.url);
  const { httpVersion, url = '', rawHeaders, method } = transport.req;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw failure(505); // Node accepts "HTTP/2.0" (RFC 9110 §15.6.6)
  }
  if (rawHeaders.length > 2 * MAX_HEADER_LINES)
    throw new Failure(431, `Keep the request head within ${MAX_HEADER_LINES} lines.`);
  checkHost(headers.get('host'), httpVersion);
  if (headers.has('transfer-encoding'))
    checkTransferEncoding(valuesOf(headers, 'transfer-encoding'), httpVersion);
  if (headers.has('expect')) checkExpect(valuesOf(headers, 'expect'), httpVersion);
  return url.startsWith('/') && !url.includes('#') ? url : toOriginForm(url, method);
}

/** The URL of a `Request` is complete and normalized, and its host is responsible for framing. A fragment is not sent. */
function webTarget(url: string): string {
  const end = url.indexOf('#');
  return url.slice(pathStart(url), end === -1 ? undefined : end);
}

// RFC 9112 §3.2: exactly one Host line with one valid value. HTTP/1.0 does not need one.
function checkHost(hosts: readonly string[] | undefined, httpVersion: string): void {
  if (hosts === undefined && httpVersion === '1.0') return;
  if (hosts?.length === 1 && isHost(hosts[0] as string)) return;
  throw new Failure(400, 'Send exactly one Host header with the name of this server.');
}

function isHost(text: string): boolean {
  const match = HOST.exec(text);
  return match !== null && (match[1] === undefined || isIPv6(match[1]));
}

// RFC 9112 §6.1 and §6.3: any other coding than "chunked" leaves the end of the request ambiguous.
function checkTransferEncoding(codings: readonly string[], httpVersion: string): void {
  if (httpVersion === '1.0') throw new Failure(400, 'Send no Transfer-Encoding with HTTP/1.0.');
  if (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') return;
  throw failure(501);
}

// RFC 9110 §10.1.1 defines no other expectation, and none for HTTP/1.0. Node only searches for the word.
function checkExpect(expectations: readonly string[], httpVersion: string): void {
  if (httpVersion === '1.0') return;
  const members = expectations.join(',').split(',');
  if (members.some((each) => trimSpace(each).toLowerCase() !== '100-continue')) throw failure(417);
}

// RFC 9112 §3.2.2: absolute-form must be accepted. Its authority is checked and never used.
// `new URL` would throw on "//", and normalize dot segments and backslashes.
function toOriginForm(url: string, method: string | undefined): string {
  if (url.includes('#')) throw badTarget();
  if (url === '*' && method === 'OPTIONS') return url;
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (!isHost(authority)) throw badTarget();
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function badTarget(): Failure {
  return new Failure(400, 'Send a request target that begins with "/" and has no fragment.');
}

/**
 * Returns whether to close the connection after this request, in cases where Node would keep it open: after a
 * body, unless it was read to its end.
 */
export function isLastRequest(
  { httpVersion, readableEnded }: IncomingMessage,
  headers: Headers,
): boolean {
  // A body has no meaning in /v1 and is never read there (RFC 9110 §9.3.1, RFC 9112 §9.3).
  if (!readableEnded && headers.has('transfer-encoding')) return true;
  if (
    !readableEnded &&
    headers.has('content-length') &&
    Number(valuesOf(headers, 'content-length')[0]) > 0
  )
    return true;
  // Node silently drops requests that arrive in one read after a request for an upgrade.
  if (headers.has('upgrade')) return true;
  // RFC 9112 §9.3: "close" takes precedence over "keep-alive". Node reverses them in HTTP/1.0.
  return httpVersion === '1.0' && CLOSE.test(valuesOf(headers, 'connection').join(','));
}
