// Request targets: matched byte by byte in origin-form, and other forms as far as an origin server accepts them.

import { cases, closed, head, keyed, ONE, open, type WireCase } from './case.ts';

const of = (target: string, method = 'GET') => keyed(`${method} ${target} HTTP/1.1`);

const GRAMMAR = 'none of the four forms of a target';
const AS_IT_IS = 'nothing is normalised, so two readers of a path cannot disagree';
const SEGMENT = 'a segment is decoded where it has been split, and must be an id';
const ABSOLUTE = 'absolute-form must be accepted; its authority is not used';
const NO_HTTP = 'the URI of another scheme, or none of http';

export const targets: readonly WireCase[] = [
  ...cases('9112 §3.2.1', {
    'a query without parameters': [of(`${ONE}?`), open(200), 'an empty query says nothing'],
    'two question marks': [of(`${ONE}??`), open(422), 'the second belongs to a name', '3986 §3.4'],
    'a slash': [of('/'), open(303), 'a redirect to the app or the reference page'],
    'two slashes': [of('//'), open(404), AS_IT_IS],
    'two slashes before the path': [of('//v1/memories'), open(404), 'a path, and no authority'],
    'two slashes before a host': [of('//evil.example/x'), open(404), 'a path; nothing redirects'],
    'a slash at the end': [of('/v1/memories/'), open(404), AS_IT_IS],
    'a slash behind an id': [of(`${ONE}/`), open(404), AS_IT_IS],
    'another case': [of('/V1/memories'), open(404), 'paths are case-sensitive', '9110 §4.2.3'],
    'a dot segment': [of('/v1/./memories'), open(404), AS_IT_IS, '3986 §5.2.4'],
    'two dots': [of('/v1/../v1/memories'), open(404), AS_IT_IS, '3986 §5.2.4'],
    'two dots, percent-encoded': [of('/v1/%2e%2e/v1/memories'), open(404), AS_IT_IS],
    'a backslash': [of('/v1\\memories'), open(404), AS_IT_IS],
    'a letter of the path, percent-encoded': [of('/v1/mem%6fries'), open(404), AS_IT_IS],
    'a path parameter': [of('/v1/memories;x=1'), open(404), AS_IT_IS, '3986 §3.3'],
    'what the grammar has not': [of('/v1/<x>|^`{}"'), open(404), 'there is no such path'],
    'an asterisk behind a slash': [of('/*'), open(404), 'there is no such path'],
  }),
  ...cases('3986 §2.1', {
    'an id with a letter percent-encoded': [of('/v1/memories/%6Fne'), open(200), SEGMENT],
    'an id with a slash percent-encoded': [of('/v1/memories/a%2fb'), open(422), SEGMENT],
    'an id with half an escape': [of('/v1/memories/%'), open(422), SEGMENT],
    'an id with a malformed escape': [of('/v1/memories/%zz'), open(422), SEGMENT],
    'an id cut in a character': [of('/v1/memories/%E0%A4%A'), open(422), SEGMENT],
    'an id of an overlong form': [of('/v1/memories/%c0%ae'), open(422), SEGMENT, '3629 §3'],
    'an id of half a surrogate pair': [of('/v1/memories/%ed%a0%80'), open(422), SEGMENT, '3629 §3'],
    'an id of NUL': [of('/v1/memories/%00'), open(422), SEGMENT],
    'an id with a line break': [of('/v1/memories/%0d%0aX:%20y'), open(422), SEGMENT],
    'an id of two dots': [of('/v1/memories/..'), open(422), SEGMENT],
    'an id that is a query of SQL': [of("/v1/memories/'%20OR%201=1--"), open(422), SEGMENT],
    'an id in another case': [of('/v1/memories/ONE'), open(404), 'ids are case-sensitive'],
    'an id with a space behind': [of('/v1/memories/one%20'), open(422), SEGMENT],
    'an id in full-width letters': [of('/v1/memories/%EF%BD%8Fne'), open(422), SEGMENT],
  }),
  ...cases('9112 §3.2', {
    'a fragment': [of(`${ONE}#f`), closed(400), 'a target has none'],
    'an empty fragment': [of(`${ONE}#`), closed(400), 'a target has none'],
    'a fragment behind a query': [of(`${ONE}?#`), closed(400), 'a target has none'],
    'a path without its slash': [of('v1/memories'), closed(400), GRAMMAR],
    'a query alone': [of('?limit=1'), closed(400), GRAMMAR],
    'a dot': [of('.'), closed(400), GRAMMAR],
    'unescaped UTF-8': [of('/caf\xc3\xa9'), closed(400), 'a target is ASCII'],
    'a byte beyond ASCII': [of('/\xff'), closed(400), 'a target is ASCII'],
    'a tab': [of('/a\tb'), closed(400), 'a target has no whitespace'],
    NUL: [of('/a\0b'), closed(400), 'a target has no control characters'],
    DEL: [of('/a\x7fb'), closed(400), 'a target has no control characters'],
    'a bare CR': [of('/a\rb'), closed(400), 'a bare CR is invalid', '9112 §2.2'],
    'a bare LF': [of('/a\nb'), closed(400), 'a line that ends there has no version', '9112 §2.2'],
  }),
  ...cases('9112 §3.2.2', {
    'absolute-form': [of(`http://x${ONE}`), open(200), ABSOLUTE],
    'absolute-form of https': [of(`https://x${ONE}`), open(200), ABSOLUTE],
    'absolute-form in capitals': [of(`HTTP://X:80${ONE}`), open(200), ABSOLUTE],
    'absolute-form of another host than Host': [
      of(`http://y:1${ONE}`),
      open(200),
      'the host of the target goes before Host, and neither is used',
    ],
    'absolute-form with an IPv6 address': [of(`http://[::1]:80${ONE}`), open(200), ABSOLUTE],
    'absolute-form without a path': [of('http://x'), open(303), 'an empty path is "/"'],
    'absolute-form with a query alone': [of('http://x?limit=1'), open(303), 'an empty path is "/"'],
    'absolute-form with two slashes': [of('http://x//v1/memories'), open(404), AS_IT_IS],
    'absolute-form with a fragment': [of(`http://x${ONE}#f`), closed(400), 'a target has none'],
    'absolute-form with a user': [
      of(`http://u:p@x${ONE}`),
      closed(400),
      'userinfo is an error, as it hides which host is meant',
      '9110 §4.2.4',
    ],
    'absolute-form without a host': [
      of(`http://${ONE}`),
      closed(400),
      'an http URI with an empty host is invalid',
      '9110 §4.2.1',
    ],
    'absolute-form with nothing behind': [
      of('http://'),
      closed(400),
      'an http URI with an empty host is invalid',
      '9110 §4.2.1',
    ],
    'absolute-form with half an address': [of('http://[::1/x'), closed(400), 'no authority'],
    'absolute-form with a malformed escape': [of('http://%zz/x'), closed(400), 'no authority'],
    'absolute-form with a port of letters': [of('http://x:8a/x'), closed(400), 'no authority'],
    'absolute-form with one slash': [of('http:/v1/memories'), closed(400), NO_HTTP],
    'absolute-form of ftp': [of('ftp://x/v1/memories'), closed(400), NO_HTTP],
    'absolute-form of file': [of('file:///etc/passwd'), closed(400), NO_HTTP],
    'absolute-form of ws': [of('ws://x/v1/memories'), closed(400), NO_HTTP],
    'a URN': [of('urn:x'), closed(400), NO_HTTP],
    'a script': [of('javascript:alert(1)'), closed(400), NO_HTTP],
  }),
  ...cases('9112 §3.2.3', {
    'authority-form by GET': [of('h:443'), closed(400), 'it is for CONNECT alone'],
    'a tunnel': [
      head('CONNECT h:443 HTTP/1.1', 'Host: h:443'),
      closed(501),
      'an origin server that makes no tunnels',
      '9110 §9.3.6',
    ],
    'a tunnel to a path': [
      head('CONNECT /v1/memories HTTP/1.1', 'Host: x', 'X-API-Key: <key>'),
      closed(501),
      'an origin server that makes no tunnels',
      '9110 §9.3.6',
    ],
    'a tunnel with what goes through it': [
      `${head('CONNECT h:443 HTTP/1.1', 'Host: h:443')}\x16\x03\x01`,
      closed(501),
      'what follows is not read as requests',
      '9110 §9.3.6',
    ],
  }),
  ...cases('9112 §3.2.4', {
    'asterisk-form by GET': [of('*'), closed(400), 'it is for OPTIONS alone'],
    'asterisk-form by HEAD': [of('*', 'HEAD'), closed(400), 'it is for OPTIONS alone'],
    'asterisk-form by TRACE': [of('*', 'TRACE'), closed(400), 'it is for OPTIONS alone'],
    'asterisk-form by OPTIONS': [
      of('*', 'OPTIONS'),
      open(404),
      'well-formed, and about a server that has nothing to say of itself',
      '9110 §9.3.7',
    ],
    'two asterisks': [of('**', 'OPTIONS'), closed(400), GRAMMAR],
  }),
  ...cases('9112 §3', {
    'a target of 8,000 characters': [
      of(`${ONE}?x=${'a'.repeat(8000 - ONE.length - 3)}`),
      open(422),
      'a server should support lines of 8,000 octets at least',
    ],
    'a target of 13,312 characters': [of(`/${'a'.repeat(13_311)}`), open(404), 'our limit'],
    'a target of 13,313 characters': [
      of(`/${'a'.repeat(13_312)}`),
      closed(414),
      'a target that is too long to parse must get 414',
    ],
  }),
];
