// The caller's IP address: from the socket, or from X-Forwarded-For if a configured proxy sent it.

import { BlockList, isIP, isIPv6 } from 'node:net';

import type { Log } from '../log.ts';
import { trimSpace, valuesOf, type Headers } from './headers.ts';

/** Returns the caller's address, given the peer of the socket, or undefined if it cannot be known. */
export type FindClientIp = (peer: string | undefined, headers: Headers) => string | undefined;

/** The entry of `throttle.proxies` for proxies that connect to a Unix socket, which have no address. */
export const UNIX_PROXY = 'unix';

/** The accepted entries of `throttle.proxies`, for error messages. */
export const PROXY = 'addresses and ranges such as 10.0.0.5 or fd00::/8, or the word unix';

/** Returns whether a text is an address, a range or `unix`. `/0` is refused, because it would trust everybody. */
export function isProxy(text: string): boolean {
  if (text === UNIX_PROXY) return true;
  const [, address = '', bits = '1'] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

const UNTRUSTED_HEADER =
  'X-Forwarded-For is not trusted, because its sender is not a configured proxy. If it is your proxy, name it with --proxy.';

const MISSING_HEADER =
  'A configured proxy did not name its caller in X-Forwarded-For, so all its requests count as one address. Let it send the address of its caller.';

/**
 * Creates the function that finds a caller's address. It trusts X-Forwarded-For only from configured
 * proxies, because anyone can forge it. A loopback peer has no address unless it is configured, since one
 * local proxy may stand in front of every caller.
 */
export function createFindClientIp(proxies: readonly string[], log: Log): FindClientIp {
  const isTrusted = createProxyMatcher(proxies);
  const unnamed = proxies.includes(UNIX_PROXY) ? UNIX_PROXY : undefined;
  const warned = new Set<string>();
  const warnOnce = (peer: string, message: string): void => {
    if (warned.has(message)) return;
    warned.add(message);
    log.warn?.({ peer }, message);
  };
  return (socketPeer, headers) => {
    const end = socketPeer ?? unnamed;
    if (end === undefined) return undefined; // closed, or a socket without addresses
    const peer = normalizeIp(end);
    const forwarded = valuesOf(headers, 'x-forwarded-for');
    const isFromProxy = isTrusted(peer);
    const address = isFromProxy ? forwardedFor(peer, forwarded, isTrusted) : peer;
    if (isFromProxy && isTrusted(address)) warnOnce(peer, MISSING_HEADER);
    else if (!isFromProxy && forwarded.length > 0) warnOnce(peer, UNTRUSTED_HEADER);
    const isLocal = peer === UNIX_PROXY || isLoopback(peer);
    return address === peer && isLocal ? undefined : networkOf(address);
  };
}

/** Creates the function that returns whether the peer of a connection is a configured proxy. */
export function createIsProxyPeer(proxies: readonly string[]): (peer?: string) => boolean {
  const isTrusted = createProxyMatcher(proxies);
  return (peer = UNIX_PROXY) => isTrusted(normalizeIp(peer));
}

/** Creates the function that returns whether an address is a configured proxy's. */
function createProxyMatcher(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    if (proxy === UNIX_PROXY) continue;
    const [text = '', bits] = proxy.split('/');
    const address = bits === undefined ? normalizeIp(text) : text;
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  const isUnixTrusted = proxies.includes(UNIX_PROXY);
  return (address) =>
    address === UNIX_PROXY ? isUnixTrusted : list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/**
 * Finds the caller of a proxy. Each proxy appends its own caller to X-Forwarded-For, whose lines form one
 * list (RFC 9110 §5.3). So the caller is the last entry that is no trusted proxy, and entries before it
 * may be forged. If an entry is no address, the proxy that wrote it counts as the caller.
 */
function forwardedFor(
  proxy: string,
  forwarded: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let last = proxy;
  for (const entry of forwarded.join().split(',').toReversed()) {
    const address = readForwarded(trimSpace(entry));
    if (address === undefined) return last;
    last = address;
    if (!isTrusted(address)) return address;
  }
  return last;
}

/** Reads an entry of X-Forwarded-For. Some proxies add brackets or a port. */
function readForwarded(entry: string): string | undefined {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  const address = ipv6 ?? ipv4 ?? entry;
  return isIP(address) === 0 ? undefined : normalizeIp(address);
}

/** Writes an IPv4 address that was mapped into IPv6 as IPv4, and removes the zone of an IPv6 address. */
function normalizeIp(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const parts = partsOf(bare);
  if (parts.slice(0, 6).join() !== '0,0,0,0,0,65535') return bare;
  return parts
    .slice(6)
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
}

function isLoopback(address: string): boolean {
  return (
    address.startsWith('127.') || (isIPv6(address) && partsOf(address).join('') === '00000001')
  );
}

/** Returns the /64 of an IPv6 address, the smallest network that a customer gets. Returns IPv4 unchanged. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parts = partsOf(address).slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address (RFC 4291 §2.2). */
function partsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const sides = hex.split('::').map((side) => side.split(':').filter((part) => part !== ''));
  const [left = [], right = []] = sides;
  const between = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...between, ...right].map((part) => Number.parseInt(part, 16));
}
