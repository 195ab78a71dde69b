// Connection headers, Expect, and requests after the first one.

import { cases, closed, get, head, keyed, ONE, open, PING, post, type WireCase } from './case.ts';

const http10 = (...fields: readonly string[]) => keyed(`GET ${ONE} HTTP/1.0`, ...fields);
const CONTINUE = 'Expect: 100-continue';

const FINAL = 'the final response without 100 Continue, because the headers decide';
const OTHER = 'an unknown expectation may get 417, and a list counts as a whole';
const CLOSE = 'after "close" the connection ends with the response';
const GOES_ON = 'HTTP/1.1 goes on unless "close" is named';
const UPGRADE =
  'an upgrade may be ignored; the connection ends, as the client may go on in another way';
const IN_ORDER = 'responses come in the order of the requests';
const LAST = 'what follows a request that could not be read is not read';

export const connections: readonly WireCase[] = [
  ...cases('9112 §9.3', {
    close: [get('Connection: close'), closed(200), CLOSE],
    'close in capitals': [get('Connection: CLOSE'), closed(200), 'options ignore case'],
    'close and keep-alive': [get('Connection: close, keep-alive'), closed(200), CLOSE],
    'keep-alive and close': [get('Connection: keep-alive, close'), closed(200), CLOSE],
    'keep-alive and close in two lines': [
      get('Connection: keep-alive', 'Connection: close'),
      closed(200),
      CLOSE,
    ],
    'close, and the next request': [
      get('Connection: close') + PING,
      closed(200),
      CLOSE,
      '9112 §9.6',
    ],
    'close, and a request by POST': [
      get('Connection: close') + post('Content-Length: 0'),
      closed(200),
      CLOSE,
      '9112 §9.6',
    ],
    'keep-alive': [get('Connection: keep-alive'), open(200), GOES_ON],
    'an option that ends in close': [get('Connection: xclose'), open(200), GOES_ON],
    'an empty option': [get('Connection: ,'), open(200), GOES_ON],
    'HTTP/1.0 with keep-alive': [
      http10('Connection: keep-alive'),
      open(200),
      'HTTP/1.0 goes on where keep-alive is named',
    ],
    'HTTP/1.0 with keep-alive, and the next request': [
      http10('Connection: keep-alive') + PING,
      open(200, 200),
      'HTTP/1.0 goes on where keep-alive is named',
    ],
    'HTTP/1.0, and the next request': [http10() + PING, closed(200), 'HTTP/1.0 ends by itself'],
    'HTTP/1.0 with close and keep-alive': [
      http10('Connection: close, keep-alive'),
      closed(200),
      CLOSE,
    ],
    'HTTP/1.0 with keep-alive and close in two lines': [
      http10('Connection: keep-alive', 'Connection: Close') + PING,
      closed(200),
      CLOSE,
    ],
    'HTTP/1.0 with another option': [http10('Connection: TE'), closed(200), 'ends by itself'],
  }),
  ...cases('9110 §7.6.1', {
    'the key as an option': [
      get('Connection: x-api-key'),
      open(200),
      'only an intermediary removes the fields that it names',
    ],
    'Host as an option': [
      get('Connection: host'),
      open(200),
      'only an intermediary removes the fields that it names',
    ],
    'the length as an option': [
      get('Connection: content-length', 'Content-Length: 0'),
      open(200),
      'only an intermediary removes the fields that it names',
    ],
    'trailers are fine': [get('Connection: TE', 'TE: trailers'), open(200), 'we send none'],
    'a time to keep alive': [get('Keep-Alive: timeout=9999'), open(200), 'the server decides'],
  }),
  ...cases('9110 §7.8', {
    'an upgrade to websocket': [
      get('Connection: upgrade', 'Upgrade: websocket'),
      closed(200),
      UPGRADE,
    ],
    'an upgrade to h2c': [
      get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
      closed(200),
      UPGRADE,
    ],
    'an upgrade to TLS': [get('Connection: upgrade', 'Upgrade: TLS/1.3'), closed(200), UPGRADE],
    'an upgrade that is not among the options': [get('Upgrade: websocket'), closed(200), UPGRADE],
    'an upgrade, and the next request': [
      get('Connection: upgrade', 'Upgrade: websocket') + PING,
      closed(200),
      'Node drops bytes from the same read, so no response is required',
    ],
    'an upgrade with a body': [
      `${get('Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 5')}hello${PING}`,
      closed(200),
      UPGRADE,
    ],
    'an upgrade by POST': [post('Connection: upgrade', 'Upgrade: h2c'), closed(405), UPGRADE],
    'an upgrade in HTTP/1.0': [
      http10('Connection: upgrade', 'Upgrade: websocket'),
      closed(200),
      'a server must ignore it there',
    ],
  }),
  ...cases('9110 §10.1.1', {
    '100-continue': [get(CONTINUE), closed(200), FINAL],
    '100-continue in capitals': [get('Expect: 100-CONTINUE'), closed(200), 'it ignores case'],
    '100-continue twice': [get(CONTINUE, CONTINUE), closed(200), FINAL],
    '100-continue in a list': [get('Expect: 100-continue, 100-continue'), closed(200), FINAL],
    '100-continue before a body': [get(CONTINUE, 'Content-Length: 5'), closed(200), FINAL],
    '100-continue before a body that comes at once': [
      `${post(CONTINUE, 'Content-Length: 5')}hello${PING}`,
      closed(405),
      FINAL,
    ],
    '100-continue by POST': [post(CONTINUE, 'Content-Length: 5'), closed(405), FINAL],
    '100-continue by POST, in chunks': [
      post(CONTINUE, 'Transfer-Encoding: chunked'),
      closed(405),
      FINAL,
    ],
    '100-continue without a key': [
      head(`POST ${ONE} HTTP/1.1`, 'Host: x', CONTINUE, 'Content-Length: 5'),
      closed(401),
      FINAL,
    ],
    'another expectation': [get('Expect: foo'), closed(417), OTHER],
    'another expectation with 100-continue': [get('Expect: 100-continue, foo'), closed(417), OTHER],
    'another expectation in the second line': [get(CONTINUE, 'Expect: foo'), closed(417), OTHER],
    '100-continue with a parameter': [get('Expect: 100-continue;a=b'), closed(417), OTHER],
    '100-continue in quotes': [get('Expect: "100-continue"'), closed(417), OTHER],
    '100-continues': [get('Expect: 100-continues'), closed(417), OTHER],
    'an empty expectation': [get('Expect:'), closed(417), OTHER],
    'another expectation, without a key': [
      head(`GET ${ONE} HTTP/1.1`, 'Host: x', 'Expect: foo'),
      closed(417),
      'framing comes before the key',
    ],
    'another expectation, without Host': [
      head(`GET ${ONE} HTTP/1.1`, 'Expect: foo'),
      closed(400),
      'Host is checked first',
      '9112 §3.2',
    ],
    'another expectation, and the next request': [get('Expect: foo') + PING, closed(417), OTHER],
    'another expectation, by HEAD': [
      keyed(`HEAD ${ONE} HTTP/1.1`, 'Expect: foo'),
      closed(417),
      OTHER,
    ],
    '100-continue in HTTP/1.0': [http10(CONTINUE), closed(200), 'must be ignored there'],
    'another expectation in HTTP/1.0': [http10('Expect: foo'), closed(200), 'is ignored, too'],
  }),
  ...cases('9112 §9.3.2', {
    'two requests': [get() + PING, open(200, 200), IN_ORDER],
    'ten requests': [get().repeat(10), open(...Array.from({ length: 10 }, () => 200)), IN_ORDER],
    'requests with good and bad keys': [
      get() +
        head(`GET ${ONE} HTTP/1.1`, 'Host: x', 'X-API-Key: <revoked>') +
        head(`GET ${ONE} HTTP/1.1`, 'Host: x') +
        head(`GET ${ONE} HTTP/1.1`, 'Host: x', 'X-API-Key: <other>') +
        get(),
      open(200, 401, 401, 404, 200),
      'nothing of one request is left for the next',
    ],
    'three by HEAD and one by GET': [
      keyed(`HEAD ${ONE} HTTP/1.1`).repeat(3) + get(),
      open(200, 200, 200, 200),
      'a response to HEAD has no body, whatever its length says',
      '9110 §9.3.2',
    ],
    'HEAD of what is not there, and GET': [
      keyed('HEAD /v1/memories/none HTTP/1.1') + get(),
      open(404, 200),
      'nor has a refusal',
      '9110 §9.3.2',
    ],
    'POST, and GET': [post() + get(), open(405, 200), 'a refusal that leaves no doubt is no end'],
    'a good request, and garbage': [`${PING}nonsense\r\n\r\n`, closed(200, 400), IN_ORDER],
    'a good one, one without Host, a good one': [
      PING + head('GET / HTTP/1.1') + PING,
      closed(200, 400),
      LAST,
    ],
    'a good one, one in an unknown coding, a good one': [
      PING + get('Transfer-Encoding: xchunked') + PING,
      closed(200, 501),
      LAST,
    ],
    'a good one, one that expects, a good one': [
      PING + get('Expect: foo') + PING,
      closed(200, 417),
      LAST,
    ],
    'one with a bad target, and ten good ones': [
      keyed('GET /\xe9 HTTP/1.1') + PING.repeat(10),
      closed(400),
      LAST,
    ],
  }),
];
