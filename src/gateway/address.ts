// Addresses: who asks, by the socket, or by what proxies say that are named.

import { BlockList, isIP, isIPv6 } from 'node:net';

import { valuesOf, type Headers } from './headers.ts';
import { isLoopback, networkOf, plainAddress } from './ip.ts';
import type { Log } from './log.ts';

/** Finds who asks, where that can be told: the peer of its socket, and its headers. */
export type FindAddress = (peer: string | undefined, headers: Headers) => string | undefined;

/** What names a proxy, for people. */
export const PROXY = 'addresses and ranges such as 10.0.0.5 or fd00::/8';

/** Tells whether this is an address or a range. `/0` is none: anybody would be a proxy. */
export function isProxy(text: string): boolean {
  const [, address = '', bits = '1'] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

const UNNAMED =
  'X-Forwarded-For is not believed: it came from an address that is not named as a proxy; name it with --proxy if it is yours';

const UNSAID =
  'A named proxy did not say in X-Forwarded-For who asks, so that all it brings count as one; let it send the address of its caller';

/**
 * Makes the function that finds who asks. No header tells it, but that of a named proxy: else anybody
 * would be another with every request. On this machine itself a proxy may sit for everybody: what
 * comes from there has no address until it is named.
 */
export function createFindAddress(proxies: readonly string[], log: Log): FindAddress {
  const isNamed = namedBy(proxies);
  const told = new Set<string>();
  const warnOnce = (peer: string, message: string): void => {
    if (told.has(message)) return;
    told.add(message);
    log.warn?.({ peer }, message);
  };
  return (socket, headers) => {
    if (socket === undefined) return undefined; // gone, or of a kind that has none
    const peer = plainAddress(socket);
    const forwarded = valuesOf(headers, 'x-forwarded-for');
    const isBehind = isNamed(peer);
    const address = isBehind ? behind(peer, forwarded, isNamed) : peer;
    if (isBehind && isNamed(address)) warnOnce(peer, UNSAID);
    else if (!isBehind && forwarded.length > 0) warnOnce(peer, UNNAMED);
    return address === peer && isLoopback(peer) ? undefined : networkOf(address);
  };
}

/** Makes the function that tells whether an address is one of those named. */
function namedBy(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [text = '', bits] = proxy.split('/');
    const address = bits === undefined ? plainAddress(text) : text;
    if (bits === undefined) list.addAddress(address, kindOf(address));
    else list.addSubnet(address, Number(bits), kindOf(address));
  }
  return (address) => list.check(address, kindOf(address));
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/**
 * Finds who asked a named proxy: each appends that to X-Forwarded-For, whose lines are one list
 * (RFC 9110 §5.3), so it is the last entry that is no named proxy itself. What stands before it may be
 * made up. Where an entry is no address, the proxy that wrote it answers for it.
 */
function behind(
  proxy: string,
  forwarded: readonly string[],
  isNamed: (address: string) => boolean,
): string {
  let last = proxy;
  for (const entry of forwarded.join().split(',').toReversed()) {
    const address = addressIn(entry.trim());
    if (address === undefined) return last;
    last = address;
    if (!isNamed(address)) return address;
  }
  return last;
}

/** Reads an address as proxies write it, some with brackets or a port. */
function addressIn(entry: string): string | undefined {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  const address = ipv6 ?? ipv4 ?? entry;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}
