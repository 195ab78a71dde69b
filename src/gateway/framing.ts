// Framing and Host: what Node's parser lets pass and RFC 9112 wants refused, judged before all else.

import type { IncomingMessage } from 'node:http';

import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import { valuesOf, type Headers } from './headers.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+;=%-]+)(:\d*)?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Returns the target of a request in origin-form. Fails with 4xx or 5xx when the request is in doubt. */
export function readTarget(request: IncomingMessage, headers: Headers): string {
  const { httpVersion, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw failure(505); // Node hands on "HTTP/2.0" (RFC 9110 §15.6.6)
  }
  checkHost(valuesOf(headers, 'host'), httpVersion);
  checkTransferEncoding(valuesOf(headers, 'transfer-encoding'), httpVersion);
  return originForm(url, request.method);
}

// RFC 9112 §3.2: exactly one Host line with one valid value; HTTP/1.0 may do without.
function checkHost(hosts: readonly string[], httpVersion: string): void {
  if (hosts.length === 0 && httpVersion === '1.0') return;
  if (hosts.length === 1 && HOST.test(hosts[0] as string)) return;
  throw new Failure(400, 'Send exactly one Host header with the name of this server.');
}

// RFC 9112 §6.1 and §6.3: anything but "chunked" leaves the end of the request in doubt.
function checkTransferEncoding(codings: readonly string[], httpVersion: string): void {
  if (codings.length === 0) return;
  if (httpVersion === '1.0') throw new Failure(400, 'Send no Transfer-Encoding with HTTP/1.0.');
  if (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') return;
  throw failure(501);
}

// RFC 9112 §3.2.2: absolute-form must be accepted; its authority is checked and never used.
// `new URL` is avoided: it throws on "//" and folds dot segments and backslashes away.
function originForm(url: string, method: string | undefined): string {
  if (url.includes('#')) throw badTarget();
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return url;
  const [, authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (!HOST.test(authority)) throw badTarget();
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function badTarget(): Failure {
  return new Failure(400, 'Send a request target that begins with "/" and has no fragment.');
}
