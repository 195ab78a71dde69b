// Host: exactly one, in the form of a name or an address.

import { cases, closed, head, ONE, open, type WireCase } from './case.ts';

const to = (...hosts: readonly string[]) =>
  head(`GET ${ONE} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'X-API-Key: <key>');

const NOT_ONE = 'a server must answer 400 to no Host line, to more than one, and to an invalid one';
const NAME = 'uri-host may be any reg-name; which one is never used';

export const hosts: readonly WireCase[] = [
  ...cases('9112 §3.2', {
    'no Host': [to(), closed(400), NOT_ONE],
    'another field that ends in Host': [
      head(`GET ${ONE} HTTP/1.1`, 'X-Host: x', 'X-API-Key: <key>'),
      closed(400),
      NOT_ONE,
    ],
    'two Hosts': [to('x', 'y'), closed(400), NOT_ONE],
    'the same Host twice': [to('x', 'x'), closed(400), NOT_ONE],
    'a Host and an empty one': [to('x', ''), closed(400), NOT_ONE],
    'an empty Host': [
      to(''),
      closed(400),
      'an http URI has a host, so that only a target without one goes with an empty field',
    ],
    'a Host of a space': [to(' '), closed(400), NOT_ONE],
    'a list of Hosts': [to('a, b'), closed(400), NOT_ONE],
    'a list of Hosts without a space': [
      to('a,b'),
      closed(400),
      'a reg-name may have a comma, but so do two Host lines that somebody has joined',
    ],
    'Host with user': [to('u@h'), closed(400), NOT_ONE],
    'Host with scheme': [to('http://h'), closed(400), NOT_ONE],
    'Host with path': [to('h/x'), closed(400), NOT_ONE],
    'Host with query': [to('h?x'), closed(400), NOT_ONE],
    'Host with fragment': [to('h#x'), closed(400), NOT_ONE],
    'Host with backslash': [to('h\\x'), closed(400), NOT_ONE],
    'Host with space': [to('a b'), closed(400), NOT_ONE],
    'Host in quotes': [to('"h"'), closed(400), NOT_ONE],
    'Host in UTF-8': [to('caf\xc3\xa9.example'), closed(400), NOT_ONE],
    'no Host in absolute-form': [
      head(`GET http://h${ONE} HTTP/1.1`, 'X-API-Key: <key>'),
      closed(400),
      'a client must send Host also where the target has an authority',
    ],
    'two Hosts in HTTP/1.0': [
      head(`GET ${ONE} HTTP/1.0`, 'Host: x', 'Host: y', 'X-API-Key: <key>'),
      closed(400),
      'any request message with more than one Host line, whatever its version',
    ],
    'a bad Host in HTTP/1.0': [
      head(`GET ${ONE} HTTP/1.0`, 'Host: a b', 'X-API-Key: <key>'),
      closed(400),
      'any request message with an invalid one, whatever its version',
    ],
    'no Host in HTTP/1.0': [
      head(`GET ${ONE} HTTP/1.0`, 'X-API-Key: <key>'),
      closed(200),
      'only HTTP/1.1 must have one',
    ],
  }),
  ...cases('3986 §3.2.2', {
    'a name': [to('gateway.example'), open(200), NAME],
    'an address': [to('127.0.0.1'), open(200), NAME],
    'an address with five parts': [to('1.2.3.4.5'), open(200), NAME],
    'a name with an underscore': [to('a_b'), open(200), NAME],
    'a name with a percent-encoded letter': [to('%61'), open(200), NAME],
    'a name with half an escape': [to('%'), closed(400), 'a % begins an octet in two digits'],
    'a name with a malformed escape': [to('%zz'), closed(400), 'its digits are hexadecimal'],
    'a name with sub-delims': [to('x;y=1'), open(200), NAME],
    'a name of 5,000 letters': [to('a'.repeat(5000)), open(200), NAME],
    'an IPv6 address': [to('[::1]'), open(200), 'an IP-literal stands in brackets'],
    'an IPv6 address with a port': [to('[::1]:8787'), open(200), 'and the port behind them'],
    'an IPv6 address without brackets': [
      to('::1'),
      closed(400),
      'an IP-literal stands in brackets',
    ],
    'a malformed IPv6 address': [to('[:::::]'), closed(400), 'it has eight groups at most'],
    'an IPv6 address with five digits in a group': [
      to('[fffff::1]'),
      closed(400),
      'a group has four digits at most',
    ],
    'an IPv6 address with a zone': [
      to('[fe80::1%25eth0]'),
      closed(400),
      'a zone means something on its own host alone, and IPv6address has none',
    ],
    'an address of a future version': [
      to('[v1.x]'),
      closed(400),
      'an unsupported version gets an error',
    ],
    'brackets that are not closed': [to('[::1'), closed(400), 'an IP-literal stands in brackets'],
    'empty brackets': [to('[]'), closed(400), 'there is an address in them'],
  }),
  ...cases('3986 §3.2.3', {
    'a port': [to('h:8787'), open(200), 'digits behind a colon'],
    'an empty port': [to('h:'), open(200), 'a port may be empty'],
    'a port beyond 65535': [to('h:99999'), open(200), 'any digits; the port is never used'],
    'a port with a letter': [to('h:8a'), closed(400), 'digits only'],
    'a port with a sign': [to('h:+80'), closed(400), 'digits only'],
    'two ports': [to('h:80:80'), closed(400), 'one port'],
    'a port without a name': [
      to(':80'),
      closed(400),
      'an http URI with an empty host is invalid',
      '9110 §4.2.1',
    ],
  }),
];
