// Framing and Host: what Node's parser lets pass and RFC 9112 wants refused, judged before all else.

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import { valuesOf, type Headers } from './headers.ts';

// RFC 3986 §3.2.2 and §3.2.3, without the comma, by which some join two Host lines to one.
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d*)?$/i;
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** From 1,000 lines on Node drops them in silence, and how requests are framed with them. */
const MAX_LINES = 900;

/** Returns the target of a request in origin-form. Fails with 4xx or 5xx when the request is in doubt. */
export function readTarget(request: IncomingMessage, headers: Headers): string {
  const { httpVersion, url = '', rawHeaders } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw failure(505); // Node hands on "HTTP/2.0" (RFC 9110 §15.6.6)
  }
  if (rawHeaders.length > 2 * MAX_LINES)
    throw new Failure(431, `Keep the request head within ${MAX_LINES} lines.`);
  checkHost(valuesOf(headers, 'host'), httpVersion);
  checkTransferEncoding(valuesOf(headers, 'transfer-encoding'), httpVersion);
  checkExpect(valuesOf(headers, 'expect'), httpVersion);
  return originForm(url, request.method);
}

// RFC 9112 §3.2: exactly one Host line with one valid value; HTTP/1.0 may do without.
function checkHost(hosts: readonly string[], httpVersion: string): void {
  if (hosts.length === 0 && httpVersion === '1.0') return;
  if (hosts.length === 1 && isHost(hosts[0] as string)) return;
  throw new Failure(400, 'Send exactly one Host header with the name of this server.');
}

function isHost(text: string): boolean {
  const found = HOST.exec(text);
  return found !== null && (found[1] === undefined || isIPv6(found[1]));
}

// RFC 9112 §6.1 and §6.3: anything but "chunked" leaves the end of the request in doubt.
function checkTransferEncoding(codings: readonly string[], httpVersion: string): void {
  if (codings.length === 0) return;
  if (httpVersion === '1.0') throw new Failure(400, 'Send no Transfer-Encoding with HTTP/1.0.');
  if (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') return;
  throw failure(501);
}

// RFC 9110 §10.1.1: nothing else is defined, and HTTP/1.0 knows none of it. Node looks for the word alone.
function checkExpect(expectations: readonly string[], httpVersion: string): void {
  if (expectations.length === 0 || httpVersion === '1.0') return;
  const members = expectations.join(',').split(',');
  if (members.some((each) => each.trim().toLowerCase() !== '100-continue')) throw failure(417);
}

// RFC 9112 §3.2.2: absolute-form must be accepted; its authority is checked and never used.
// `new URL` is avoided: it throws on "//" and folds dot segments and backslashes away.
function originForm(url: string, method: string | undefined): string {
  if (url.includes('#')) throw badTarget();
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return url;
  const [, authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (!isHost(authority)) throw badTarget();
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function badTarget(): Failure {
  return new Failure(400, 'Send a request target that begins with "/" and has no fragment.');
}

/** Tells whether a connection ends with this request, beside where Node itself sees to it. */
export function isLast({ httpVersion }: IncomingMessage, headers: Headers): boolean {
  // A body has no meaning here, and is never read (RFC 9110 §9.3.1, RFC 9112 §9.3).
  if (headers.has('transfer-encoding')) return true;
  if (Number(valuesOf(headers, 'content-length')[0] ?? 0) > 0) return true;
  // Node drops in silence what has come in one read behind a request that asks for an upgrade.
  if (headers.has('upgrade')) return true;
  // RFC 9112 §9.3: "close" goes before "keep-alive", which Node turns around in HTTP/1.0.
  return httpVersion === '1.0' && CLOSE.test(valuesOf(headers, 'connection').join(','));
}
