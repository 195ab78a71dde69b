// A request as it is made up, and a small reading of its own: what is well-formed, and whose key it carries.

import type { Owner } from './scene.ts';

/** A request; every character is a byte. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly version: string;
  readonly body: string;
}

/** Name and value of a header line. */
export type Header = readonly [name: string, value: string];

/** Writes a request as bytes. */
export function toBytes({ method, target, headers, version, body }: Asked): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}

const METHODS = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND'.split(' '));

/** Headers that say where a request ends, or that the connection does. */
const FRAMING = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * Tells whether there is no doubt about a request: it is read, stands between those before and behind
 * it, and leaves the connection open unless its answer says so. Where it cannot be told it is false.
 */
export function isPlain(asked: Asked): boolean {
  const { method, target, headers, version, body } = asked;
  const [[first, host] = ['', ''], ...rest] = headers;
  return (
    METHODS.has(method) &&
    version === 'HTTP/1.1' &&
    /^\/[!-"$-~]{0,8191}$/.test(target) &&
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
 * Tells whose active key a plain request carries, by the README: as Bearer or as X-API-Key, each at
 * most once, and the same where there are both. An Authorization of another scheme does not count.
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

/** Takes off what RFC 9112 §5 lets stand around a value. */
function trim(value: string): string {
  return value.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}
