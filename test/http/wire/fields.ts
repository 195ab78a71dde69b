// Header fields: their syntax, their size, and repeated fields.

import { cases, closed, get, keyed, ONE, open, type WireCase } from './case.ts';

const NAME = 'a field name is a token, and the colon follows it';
const VALUE = 'NUL, CR and LF make a value invalid, and so do other control characters here';
const FOLD = 'a server must reject folded lines, or unfold them; folding is how two readers part';
const IGNORED = 'an unknown field is ignored';
const LARGE = 'a head that is too large is refused, not cut';
const ONCE = 'what is said twice and has one value is ignored where the field is';

/** A valid request with the given number of field lines in total. */
const withLines = (count: number) => get(...Array.from({ length: count - 2 }, () => 'a:'));

export const fields: readonly WireCase[] = [
  ...cases('9112 §5.1', {
    'a space before the colon': [
      get('X-A : b'),
      closed(400),
      'a server must reject whitespace between name and colon',
    ],
    'a tab before the colon': [
      get('X-A\t: b'),
      closed(400),
      'a server must reject whitespace between name and colon',
    ],
    'a space before the first name': [
      keyed(`GET ${ONE} HTTP/1.1\r\n X-A: b`),
      closed(400),
      'whitespace behind the request line is refused, with the line it hides',
      '9112 §2.2',
    ],
    'no colon': [get('nonsense'), closed(400), NAME],
    'an empty name': [get(': b'), closed(400), NAME],
    'a space in a name': [get('X A: b'), closed(400), NAME],
    'quotes in a name': [get('X"A: b'), closed(400), NAME],
    'brackets in a name': [get('X(A): b'), closed(400), NAME],
    'NUL in a name': [get('X\0A: b'), closed(400), NAME],
    'a name beyond ASCII': [get('X\xe9: b'), closed(400), NAME],
    'all that a name may have': [get("!#$%&'*+-.^_`|~09azAZ: b"), open(200), NAME, '9110 §5.6.2'],
    'no space behind the colon': [get('X-A:b'), open(200), 'whitespace there is optional'],
    'spaces and tabs around a value': [
      get('X-A: \t b \t '),
      open(200),
      'whitespace around a value is no part of it',
    ],
    'an empty value': [get('X-A:'), open(200), 'a value may be empty', '9110 §5.5'],
    'names that objects have': [
      get('__proto__: x', 'constructor: y', 'hasOwnProperty: z'),
      open(200),
      IGNORED,
      '9110 §5.1',
    ],
    'names that say who asks': [
      get('X-User-Id: bo', 'X-Forwarded-User: bo', 'X-Account: bo'),
      open(200),
      IGNORED,
      '9110 §5.1',
    ],
    'names of pseudo-header fields': [
      get('X-Original-URL: /healthz', 'X-Rewrite-URL: /healthz', 'X-Forwarded-Host: evil'),
      open(200),
      IGNORED,
      '9110 §5.1',
    ],
  }),
  ...cases('9110 §5.5', {
    'NUL in a value': [get('X-A: a\0b'), closed(400), VALUE],
    'a bare CR in a value': [get('X-A: a\rb'), closed(400), VALUE],
    'a bare LF behind a value': [get('X-A: a\nX-B: b'), closed(400), VALUE],
    'two CRs behind a value': [get('X-A: a\r'), closed(400), VALUE],
    'BEL in a value': [get('X-A: a\x07b'), closed(400), VALUE],
    'ESC in a value': [get('X-A: \x1b[31m'), closed(400), VALUE],
    'DEL in a value': [get('X-A: a\x7fb'), closed(400), VALUE],
    'a tab in a value': [get('X-A: a\tb'), open(200), 'a tab may stand in a value'],
    'UTF-8 in a value': [get('X-A: \xe2\x98\x83'), open(200), 'obs-text is opaque'],
    'a byte beyond ASCII in a value': [get('X-A: \xff'), open(200), 'obs-text is opaque'],
  }),
  ...cases('9112 §5.2', {
    'a folded value': [get('X-A: b\r\n c'), closed(400), FOLD],
    'a value folded by a tab': [get('X-A: b\r\n\tc'), closed(400), FOLD],
    'an empty value, folded': [get('X-A:\r\n b'), closed(400), FOLD],
    'a folded line that looks like a field': [get('X-A: b\r\n X-API-Key: x'), closed(400), FOLD],
  }),
  ...cases('6585 §5', {
    'a value of 15,000 characters': [get(`X-A: ${'a'.repeat(15_000)}`), open(200), 'within 16 KiB'],
    'a value of 17,000 characters': [get(`X-A: ${'a'.repeat(17_000)}`), closed(431), LARGE],
    'a name of 17,000 characters': [get(`${'a'.repeat(17_000)}: b`), closed(431), LARGE],
    'a value of 100,000 characters': [get(`X-A: ${'a'.repeat(100_000)}`), closed(431), LARGE],
    '900 lines': [withLines(900), open(200), 'within 900 lines'],
    '901 lines': [withLines(901), closed(431), LARGE],
    '1,001 lines': [withLines(1001), closed(431), 'Node drops lines from here on, or refuses them'],
    '3,000 lines, and how the body is framed in the last': [
      withLines(3000).replace(/\r\n\r\n$/, '\r\nTransfer-Encoding: chunked\r\n\r\n'),
      closed(431),
      'Node drops lines from 1,000 on, or refuses them',
    ],
  }),
  ...cases('9110 §5.3', {
    'codings in two lines': [
      get('Accept-Encoding: gzip', 'Accept-Encoding: br'),
      open(200),
      'a list may come in many lines',
    ],
    'etags in two lines': [
      get('If-None-Match: "a"', 'If-None-Match: "b"'),
      open(200),
      'a list may come in many lines',
    ],
    'a content type twice': [get('Content-Type: a/b', 'Content-Type: c/d'), open(200), ONCE],
    'a user agent twice': [get('User-Agent: a', 'User-Agent: b'), open(200), ONCE],
    'an origin twice': [get('Origin: http://a', 'Origin: http://b'), open(200), ONCE],
  }),
];
