// A generated request, and a small parser that checks its form and finds the owner of its key.

import type { Owner } from './accounts.ts';

/** A request. Every character is a byte. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly version: string;
  readonly body: string;
}

/** Name and value of a header line. */
export type Header = readonly [name: string, value: string];

/** Formats a request as bytes. */
export function toBytes({ method, target, headers, version, body }: Asked): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}

const METHODS = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND'.split(' '));

/** Headers that decide where a request or a connection ends. */
const FRAMING = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * Returns whether a request is unambiguous: it is valid, has a clear end, and leaves the connection
 * open unless its response closes it. If in doubt, the result is false.
 */
export function isPlain(asked: Asked): boolean {
  const { method, target, headers, version, body } = asked;
  const [[first, host] = ['', ''], ...rest] = headers;
  return (
    METHODS.has(method) &&
    version === 'HTTP/1.1' &&
    /^\/[!-"$-~]{0,13311}$/.test(target) &&
    first === 'Host' &&
    host === 'fuzz' &&
    rest.every(isPlainHeader) &&
    headers.length < 800 &&
    body === '' &&
    toBytes(asked).length < 15_000
  );
}

function isPlainHeader([name, value]: Header): boolean {
  return (
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
    !FRAMING.has(name.toLowerCase()) &&
    /^[\t\x20-\x7E\x80-\xFF]*$/.test(value)
  );
}

/**
 * Returns the owner of the active key that a plain request carries. As the README says, a key is
 * sent as Bearer or as X-API-Key, each at most once, and both must be equal. An Authorization
 * header of another scheme does not count.
 */
export function callerOf({ headers }: Asked, owners: readonly Owner[]): Owner | undefined {
  const linesOf = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => trim(value));
  const [authorizations, keys] = [linesOf('authorization'), linesOf('x-api-key')];
  if (authorizations.length > 1 || keys.length > 1) return undefined;
  for (const line of authorizations) {
    const [scheme = '', ...credentials] = line.split(/ +/);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(scheme)) return undefined;
    if (scheme.toLowerCase() === 'bearer') keys.push(credentials.join(' '));
  }
  const [key = '', other = key] = keys;
  if (other !== key) return undefined;
  return owners.find(({ active }) => active.includes(key));
}

/** Trims the whitespace that RFC 9112 section 5 allows around a value. */
function trim(value: string): string {
  return value.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}
