// Content-Length and Transfer-Encoding: an ambiguous end of a request is refused, and nothing after it is read.

import { cases, closed, get, head, ONE, open, PING, post, type WireCase } from './case.ts';

const length = (value: string, body = 'hello') => get(`Content-Length: ${value}`) + body;
const coding = (...values: readonly string[]) =>
  `${get(...values.map((value) => `Transfer-Encoding: ${value}`))}0\r\n\r\n`;

const DIGITS =
  'Content-Length has digits only and comes once. Anything else is an unrecoverable error';
const BODY =
  'a body has no meaning here: it is not read, and the connection ends after the response';
const NOTHING = 'no body, so that the next request follows';
const UNKNOWN = 'an unknown transfer coding should get 501';
const BOTH = 'both are a way to smuggle, and may be refused as a whole';

export const lengths: readonly WireCase[] = [
  ...cases('9110 §8.6', {
    'length 0': [length('0', ''), open(200), NOTHING],
    'length 00': [length('00', ''), open(200), NOTHING],
    'length 0, and the next request': [length('0', PING), open(200, 200), NOTHING],
    'length 5': [length('5'), closed(200), BODY, '9110 §9.3.1'],
    'length 05': [length('05'), closed(200), 'leading zeros are digits, too', '9110 §8.6'],
    'length 5, and nothing behind it': [length('5', ''), closed(200), BODY, '9112 §9.3'],
    'length of 1 TB': [length('1000000000000', ''), closed(200), BODY, '9112 §9.3'],
    'length 2^64 - 1': [length('18446744073709551615', ''), closed(200), BODY, '9112 §9.3'],
    'a body that looks like a request': [length(`${PING.length}`, PING), closed(200), BODY],
    'a body, and the next request': [length('5', `hello${PING}`), closed(200), BODY],
    'a body shorter than its length, and the next request': [
      length('9', `hello${PING}`),
      closed(200),
      BODY,
    ],
  }),
  ...cases('9112 §6.3', {
    'no length': [length('', ''), closed(400), DIGITS],
    'length +5': [length('+5'), closed(400), DIGITS],
    'length -1': [length('-1', ''), closed(400), DIGITS],
    'length -0': [length('-0', ''), closed(400), DIGITS],
    'length 5.0': [length('5.0'), closed(400), DIGITS],
    'length 5e0': [length('5e0'), closed(400), DIGITS],
    'length 0x5': [length('0x5'), closed(400), DIGITS],
    'length "5"': [length('"5"'), closed(400), DIGITS],
    'length of a letter': [length('a', ''), closed(400), DIGITS],
    'length 5 5': [length('5 5'), closed(400), DIGITS],
    'length 5;x': [length('5;x'), closed(400), DIGITS],
    'length 2^64': [length('18446744073709551616', ''), closed(400), 'it must not overflow'],
    'length of 23 digits': [length('9'.repeat(23), ''), closed(400), 'it must not overflow'],
    'two lengths': [get('Content-Length: 5', 'Content-Length: 6') + 'hello', closed(400), DIGITS],
    'the same length twice': [
      get('Content-Length: 5', 'Content-Length: 5') + 'hello',
      closed(400),
      'may be taken for one or refused; we refuse',
    ],
    'a list of lengths': [length('5, 6'), closed(400), DIGITS],
    'a list of the same length': [length('5, 5'), closed(400), 'may be taken for one or refused'],
    'a length with an underscore': [
      `${get('Content_Length: 2')}\r\n`,
      open(200),
      'another field, which is ignored; no body, so that an empty line follows',
    ],
    'length and chunked': [
      `${get('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      closed(400),
      BOTH,
    ],
    'chunked and length': [
      `${get('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
      closed(400),
      BOTH,
    ],
    'chunked and length 0': [
      `${get('Transfer-Encoding: chunked', 'Content-Length: 0')}0\r\n\r\n`,
      closed(400),
      BOTH,
    ],
    'length and identity': [
      `${get('Content-Length: 5', 'Transfer-Encoding: identity')}hello`,
      closed(400),
      BOTH,
    ],
    'length, and chunked with an underscore': [
      `${get('Content-Length: 5', 'Transfer_Encoding: chunked')}hello`,
      closed(200),
      'another field, which is ignored: the length counts',
    ],
  }),
  ...cases('9112 §6.1', {
    chunked: [coding('chunked'), closed(200), BODY, '9112 §7.1'],
    'chunked in capitals': [coding('CHUNKED'), closed(200), 'codings ignore case', '9112 §7'],
    'chunked twice': [coding('chunked, chunked'), closed(400), 'it must not be applied twice'],
    'chunked in two lines': [
      coding('chunked', 'chunked'),
      closed(400),
      'it must not be applied twice',
    ],
    'chunked and identity': [coding('chunked, identity'), closed(400), 'chunked must come last'],
    'chunked and identity in two lines': [
      coding('chunked', 'identity'),
      closed(400),
      'chunked must come last',
    ],
    'chunked and a comma': [coding('chunked,'), closed(400), 'an empty member is refused here'],
    'a comma and chunked': [coding(',chunked'), closed(501), UNKNOWN],
    'identity and chunked': [coding('identity, chunked'), closed(501), UNKNOWN],
    'gzip and chunked': [coding('gzip, chunked'), closed(501), UNKNOWN],
    'gzip and chunked in two lines': [coding('gzip', 'chunked'), closed(501), UNKNOWN],
    gzip: [coding('gzip'), closed(501), UNKNOWN],
    identity: [coding('identity'), closed(501), 'it is no coding any more'],
    xchunked: [coding('xchunked'), closed(501), UNKNOWN],
    chunkedx: [coding('chunkedx'), closed(501), UNKNOWN],
    '"chunked"': [coding('"chunked"'), closed(501), UNKNOWN],
    'chunked;x=1': [coding('chunked;x=1'), closed(501), 'chunked has no parameters'],
    'chun ked': [coding('chun ked'), closed(501), UNKNOWN],
    'a vertical tab and chunked': [coding('\vchunked'), closed(400), 'no whitespace of HTTP'],
    'an empty coding': [coding(''), closed(400), 'an empty value names none'],
    'a folded coding': [
      `${get('Transfer-Encoding:\r\n chunked')}0\r\n\r\n`,
      closed(400),
      'folding is how two readers part',
      '9112 §5.2',
    ],
    'a space before the colon of the coding': [
      `${get('Transfer-Encoding : chunked')}0\r\n\r\n`,
      closed(400),
      'a server must reject whitespace between name and colon',
      '9112 §5.1',
    ],
    'chunked in HTTP/1.0': [
      `${head(`GET ${ONE} HTTP/1.0`, 'X-API-Key: <key>', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      closed(400),
      'framing in HTTP/1.0 must be taken for faulty, and the connection closed',
    ],
    'the end of a body by the end of the connection': [
      head(`POST ${ONE} HTTP/1.0`, 'X-API-Key: <key>'),
      closed(405),
      'a request without either has no body',
      '9112 §6.3',
    ],
  }),
  ...cases('9112 §9.3', {
    'POST with a body': [`${post('Content-Length: 5')}hello`, closed(405), BODY],
    'POST of 1 TB': [post('Content-Length: 1000000000000'), closed(405), BODY],
    'POST of a body that never comes': [post('Content-Length: 5'), closed(405), BODY],
    'POST of chunks that never come': [post('Transfer-Encoding: chunked'), closed(405), BODY],
    'POST with a body, and the next request': [
      `${post('Content-Length: 5')}hello${PING}`,
      closed(405),
      BODY,
    ],
    'POST with length 0, and the next request': [
      post('Content-Length: 0') + PING,
      open(405, 200),
      NOTHING,
    ],
    'POST in chunks, and the next request': [
      `${post('Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n${PING}`,
      closed(405),
      BODY,
    ],
    'POST with a body and without a key': [
      `${head(`POST ${ONE} HTTP/1.1`, 'Host: x', 'Content-Length: 5')}hello`,
      closed(401),
      BODY,
    ],
    'HEAD with a body, and the next request': [
      `${head(`HEAD ${ONE} HTTP/1.1`, 'Host: x', 'X-API-Key: <key>', 'Content-Length: 5')}hello${PING}`,
      closed(200),
      BODY,
    ],
  }),
];
