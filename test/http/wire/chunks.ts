// Chunked bodies: the response depends on the headers only, and comes exactly once.

import { cases, closed, get, PING, post, type WireCase } from './case.ts';

const chunked = (body: string) => get('Transfer-Encoding: chunked') + body;
const END = '0\r\n\r\n';

const UNREAD =
  'a body is not read: one response, then the connection closes, even if its chunks are malformed';
const KEY = 'a field that decides who asks is never merged from a trailer';

export const chunks: readonly WireCase[] = [
  ...cases('9112 §7.1', {
    'a chunk': [chunked(`5\r\nhello\r\n${END}`), closed(200), UNREAD],
    'a size in capitals': [chunked(`A\r\n0123456789\r\n${END}`), closed(200), UNREAD],
    'a size with zeros before it': [chunked(`0000000005\r\nhello\r\n${END}`), closed(200), UNREAD],
    'a size of many zeros': [chunked('0000000000\r\n\r\n'), closed(200), UNREAD],
    'a size beyond 64 bits': [chunked('fffffffffffffffff\r\nhello'), closed(200), UNREAD],
    'a size of 16 EB': [chunked('ffffffffffffffff\r\nhello'), closed(200), UNREAD],
    'size -1': [chunked('-1\r\n'), closed(200), UNREAD],
    'size +5': [chunked(`+5\r\nhello\r\n${END}`), closed(200), UNREAD],
    'size 0x5': [chunked(`0x5\r\nhello\r\n${END}`), closed(200), UNREAD],
    'size 5_0': [chunked(`5_0\r\nhello\r\n${END}`), closed(200), UNREAD],
    'no size': [chunked(`\r\nhello\r\n${END}`), closed(200), UNREAD],
    'a size in letters': [chunked('xyz\r\n'), closed(200), UNREAD],
    'a space behind the size': [chunked(`5 \r\nhello\r\n${END}`), closed(200), UNREAD],
    'a space before the size': [chunked(` 5\r\nhello\r\n${END}`), closed(200), UNREAD],
    'a bare LF behind the size': [chunked(`5\nhello\r\n${END}`), closed(200), UNREAD],
    'a bare CR behind the size': [chunked(`5\r\rXhello\r\n${END}`), closed(200), UNREAD],
    'more data than the size': [chunked(`5\r\nhelloX\r\n${END}`), closed(200), UNREAD],
    'less data than the size': [chunked(`5\r\nhel\r\n${END}`), closed(200), UNREAD],
    'nothing behind the data': [chunked(`5\r\nhello${END}`), closed(200), UNREAD],
    'a bare LF behind the data': [chunked(`5\r\nhello\n${END}`), closed(200), UNREAD],
    'no last chunk': [chunked('5\r\nhello\r\n'), closed(200), UNREAD],
    'no end behind the last chunk': [chunked('0\r\n'), closed(200), UNREAD],
    'a bare LF at the end': [chunked('0\r\n\n'), closed(200), UNREAD],
    'nothing at all': [chunked(''), closed(200), UNREAD],
    'the next request behind the last chunk': [chunked(END + PING), closed(200), UNREAD],
    'the next request in a chunk': [
      chunked(`${PING.length.toString(16)}\r\n${PING}\r\n${END}`),
      closed(200),
      UNREAD,
    ],
    'the next request after an invalid chunk size': [chunked(`-1\r\n${PING}`), closed(200), UNREAD],
    'POST with a size that is none': [
      `${post('Transfer-Encoding: chunked')}-1\r\n`,
      closed(405),
      UNREAD,
    ],
  }),
  ...cases('9112 §7.1.1', {
    'an extension': [chunked(`5;a=b\r\nhello\r\n${END}`), closed(200), UNREAD],
    'an extension in quotes': [chunked(`5;a="b;c"\r\nhello\r\n${END}`), closed(200), UNREAD],
    'an extension of 20 kB': [
      chunked(`5;a=${'b'.repeat(20_000)}\r\nhello\r\n${END}`),
      closed(200),
      UNREAD,
    ],
    'an extension with a bare LF': [chunked(`5;a\nhello\r\n${END}`), closed(200), UNREAD],
    'an extension with a bare CR': [chunked(`5;a\rb\r\nhello\r\n${END}`), closed(200), UNREAD],
    'an extension with NUL': [chunked(`5;a\0\r\nhello\r\n${END}`), closed(200), UNREAD],
  }),
  ...cases('9110 §6.5.1', {
    'a trailer': [chunked('0\r\nX-A: b\r\n\r\n'), closed(200), UNREAD],
    'a trailer of 17 kB': [chunked(`0\r\nX-A: ${'b'.repeat(17_000)}\r\n\r\n`), closed(200), UNREAD],
    'a malformed trailer': [chunked('0\r\nnonsense\r\n\r\n'), closed(200), UNREAD],
    'a trailer with a length': [
      chunked('0\r\nContent-Length: 5\r\n\r\nhello'),
      closed(200),
      UNREAD,
    ],
    'a trailer with a Host': [chunked('0\r\nHost: y\r\n\r\n'), closed(200), UNREAD],
    'a trailer with a key': [
      'GET /v1/memories HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n' +
        'Trailer: X-API-Key\r\n\r\n0\r\nX-API-Key: <key>\r\n\r\n',
      closed(401),
      KEY,
    ],
    'a trailer with another key': [
      chunked('0\r\nAuthorization: Bearer <other>\r\n\r\n'),
      closed(200),
      KEY,
    ],
  }),
];
