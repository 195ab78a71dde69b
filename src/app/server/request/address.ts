// The address of the app as the browser of a request sees it: decides the cookie, the allowed origin and passkeys.

import { isIP } from 'node:net';

import type { MountContext } from '../../../gateway/mount.ts';
import { prefixOf } from '../../../gateway/request/base-url.ts';
import { trimSpace, valuesOf } from '../../../gateway/request/headers.ts';
import type { GatewayRequest } from '../../../gateway/request/request.ts';
import { isEncrypted, requestedUrl } from '../../../gateway/request/transport.ts';

/** The address of a request. */
export interface Address {
  /** Scheme, host and port, such as `https://a.example`. */
  readonly origin: string;
  readonly hostname: string;
  /** The port, also if it is the default of the scheme. */
  readonly port: string;
  readonly isHttps: boolean;
  /** The path of the app without a slash at its end, such as `/memories/app`. */
  readonly appPath: string;
  /** The address of the public API. */
  readonly apiUrl: string;
}

/**
 * Finds the address of a request: of the base URL if it has an origin, otherwise of the Host header. Then
 * the scheme is https if the connection is encrypted, or if a configured proxy says so.
 */
export function addressOf(
  request: GatewayRequest,
  { base, isFromProxy }: Pick<MountContext, 'base' | 'isFromProxy'>,
): Address {
  const prefix = prefixOf(request.base);
  const isSecure = isForwardedHttps(request, isFromProxy) || isEncrypted(request.transport);
  const given =
    base.startsWith('/') || base === '' ? requestedUrl(request, isSecure) : URL.parse(base);
  const url = given ?? new URL('http://localhost');
  const isHttps = url.protocol === 'https:';
  return {
    origin: url.origin,
    hostname: url.hostname,
    port: url.port || (isHttps ? '443' : '80'),
    isHttps,
    appPath: `${prefix}/app`,
    apiUrl: `${url.origin}${prefix}/v1`,
  };
}

/** The last entry is the one that our own proxy wrote. */
function isForwardedHttps(
  request: GatewayRequest,
  isFromProxy: MountContext['isFromProxy'],
): boolean {
  const forwarded = valuesOf(request.headers, 'x-forwarded-proto').join().split(',').at(-1);
  return trimSpace(forwarded ?? '').toLowerCase() === 'https' && isFromProxy(request);
}

/** Returns whether browsers offer passkeys at an address: https or localhost, and a name, because they belong to a name. */
export function allowsPasskeys({ isHttps, hostname }: Address): boolean {
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost');
  return (isHttps || isLocalhost) && isIP(hostname) === 0 && !hostname.startsWith('[');
}
