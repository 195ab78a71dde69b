// IP addresses as texts: which of them are one, and whom they belong to.

import { isIPv6 } from 'node:net';

/** Writes an IPv4 address that came over IPv6 as what it is, and cuts off the zone of others. */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const parts = partsOf(bare);
  if (parts.slice(0, 6).join() !== '0,0,0,0,0,65535') return bare;
  return parts
    .slice(6)
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
}

/** Tells whether a plain address is of this machine itself. */
export function isLoopback(address: string): boolean {
  return (
    address.startsWith('127.') || (isIPv6(address) && partsOf(address).join('') === '00000001')
  );
}

/** Whom a plain address belongs to: of IPv6 it is the /64, as that is the least that one customer has. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${partsOf(address).slice(0, 4).join(':')}/64` : address;
}

/** The eight parts of an IPv6 address (RFC 4291 §2.2). */
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
