// Messages of agents: the only requests whose bodies are read, so that others may follow on the connection.

import { cases, closed, head, keyed, open, PING, type WireCase } from './case.ts';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}';
const JSON_TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${MESSAGE.length}`;

const message = (...fields: readonly string[]) => keyed('POST /mcp HTTP/1.1', JSON_TYPE, ...fields);
const chunked = (chunks: string) => message('Transfer-Encoding: chunked') + chunks;

const READ = 'the body is read to its end, and the next request follows';
const UNREAD = 'a body that nobody reads ends the connection';

export const agents: readonly WireCase[] = [
  ...cases('9112 §9.3', {
    'a message': [message(LENGTH) + MESSAGE, open(200), READ],
    'a message, and a request': [message(LENGTH) + MESSAGE + PING, open(200, 200), READ],
    'two messages': [(message(LENGTH) + MESSAGE).repeat(2), open(200, 200), READ],
    'a message in a chunk': [
      chunked(`${MESSAGE.length.toString(16)}\r\n${MESSAGE}\r\n0\r\n\r\n`),
      open(200),
      READ,
    ],
    'a message in two chunks, and a request': [
      chunked(
        `5;a=b\r\n${MESSAGE.slice(0, 5)}\r\n${(MESSAGE.length - 5).toString(16)}\r\n${MESSAGE.slice(5)}\r\n0\r\nA: b\r\n\r\n${PING}`,
      ),
      open(200, 200),
      READ,
    ],
    'a message without a key': [
      head('POST /mcp HTTP/1.1', 'Host: x', JSON_TYPE, LENGTH) + MESSAGE,
      closed(401),
      UNREAD,
    ],
    'a message from a page of another site': [
      message(LENGTH, 'Origin: https://a.example') + MESSAGE,
      closed(403),
      UNREAD,
    ],
    'a compressed message': [
      message(LENGTH, 'Content-Encoding: gzip') + MESSAGE,
      closed(415),
      UNREAD,
    ],
    'a message with PUT': [
      keyed('PUT /mcp HTTP/1.1', JSON_TYPE, LENGTH) + MESSAGE,
      closed(405),
      UNREAD,
    ],
  }),
  ...cases('9110 §15.5', {
    'a message of 1 TB': [message('Content-Length: 1000000000000'), closed(413), UNREAD],
    'a message of 65,537 bytes': [message('Content-Length: 65537'), closed(413), UNREAD],
    'GET of the endpoint for agents': [keyed('GET /mcp HTTP/1.1'), open(405), 'POST alone'],
    'DELETE of the endpoint for agents': [keyed('DELETE /mcp HTTP/1.1'), open(405), 'POST alone'],
    'GET of the endpoint for agents without a key': [
      head('GET /mcp HTTP/1.1', 'Host: x'),
      open(401),
      'the key comes before the method',
    ],
  }),
  ...cases('9112 §7.1', {
    'a message whose chunk has no size': [
      chunked('ZZ\r\n'),
      closed(400),
      'the end of the request is unknown',
    ],
    'a message whose second chunk has no size': [
      chunked(`5\r\n${MESSAGE.slice(0, 5)}\r\nZZ\r\n`),
      closed(400),
      'the end of the request is unknown',
    ],
  }),
];
