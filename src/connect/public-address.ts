// Which IP addresses are on the public internet: a document of a client is fetched from no other address.

import { BlockList, isIP } from 'node:net';

/** The special-purpose addresses of IPv4 (IANA registry, RFC 6890), multicast and reserved ones. */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local: the metadata of cloud machines
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** The parts of the global unicast space of IPv6 that lead elsewhere, or nowhere. */
const NOT_PUBLIC_6 = [
  ['2001::', 23], // Teredo and others, which may carry an address of IPv4
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4, which carries an address of IPv4
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const notPublic4 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_4) notPublic4.addSubnet(net, prefix, 'ipv4');
const notPublic6 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_6) notPublic6.addSubnet(net, prefix, 'ipv6');
// Everything outside 2000::/3 is loopback, private, link-local, mapped IPv4, multicast or unassigned.
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Returns whether an IP address is on the public internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublic4.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}
