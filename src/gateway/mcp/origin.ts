// Decides which web pages may call /mcp: those of the gateway itself, of allowed origins, and of this machine.

import { isIPv4 } from 'node:net';

import { valuesOf, type Headers } from '../request/headers.ts';

/**
 * Creates the function that returns whether a request comes from no page or from one that may call. A page
 * of another site could reach a gateway on this machine by DNS rebinding: its Host header is its own, so only
 * a configured address counts as ours. Without one, only pages of this machine may call.
 */
export function createIsOwnOrigin(
  allowOrigins: readonly string[],
  base: string,
): (headers: Headers) => boolean {
  const own = URL.canParse(base) ? new URL(base).origin : undefined;
  return (headers) => {
    const origins = valuesOf(headers, 'origin');
    const [origin] = origins;
    if (origin === undefined) return true;
    if (origins.length > 1) return false;
    if (allowOrigins.includes(origin)) return true;
    return own === undefined ? isOfThisMachine(origin) : origin === own;
  };
}

function isOfThisMachine(origin: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
