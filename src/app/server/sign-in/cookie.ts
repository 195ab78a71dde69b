// The session cookie: its name and attributes by the address, and its value in a request.

import { trimSpace, valuesOf, type Headers } from '../../../gateway/request/headers.ts';
import type { Address } from '../request/address.ts';

/** How long a browser keeps the cookie. The server ends sessions earlier if they are idle. */
const MAX_AGE_SECONDS = 90 * 86_400;

/**
 * Returns the name of the cookie. Browsers send cookies to every port of a host, so without TLS the name has
 * the port. With TLS, the prefix keeps other hosts of the domain from setting it.
 */
export function cookieName({ isHttps, port }: Address): string {
  return isHttps ? '__Host-memories' : `memories_${port}`;
}

/** Returns the token in the cookie of a request. */
export function readCookie(headers: Headers, address: Address): string | undefined {
  return readCookieOf(headers, cookieName(address), TOKEN);
}

/** Returns the first value of a cookie in a request that has a form, or undefined. */
export function readCookieOf(headers: Headers, name: string, form: RegExp): string | undefined {
  const start = `${name}=`;
  for (const line of valuesOf(headers, 'cookie'))
    for (const pair of line.split(';')) {
      const text = trimSpace(pair);
      if (text.startsWith(start) && form.test(text.slice(start.length)))
        return text.slice(start.length);
    }
  return undefined;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the header that gives a browser its session. A short one ends with the browser. */
export function setCookie(address: Address, token: string, isShort: boolean): readonly string[] {
  const age = isShort ? '' : `; Max-Age=${MAX_AGE_SECONDS}`;
  return ['set-cookie', `${cookieName(address)}=${token}${attributes(address)}${age}`];
}

/** Returns the header that removes the cookie. */
export function removeCookie(address: Address): readonly string[] {
  return ['set-cookie', `${cookieName(address)}=${attributes(address)}; Max-Age=0`];
}

/** Lax, because a link to a line of a memory that somebody sends has to open. */
function attributes({ isHttps, appPath }: Address): string {
  const own = isHttps ? '; Path=/; Secure' : `; Path=${appPath}`;
  return `${own}; HttpOnly; SameSite=Lax`;
}

/** Browsers drop what they have cached of the account. */
export const CLEAR_CACHE: readonly string[] = ['clear-site-data', '"cache"'];
