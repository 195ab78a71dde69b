// Reads of a resource: parameters, conditional requests, compression, and HEAD.

import { cases, closed, get, head, keyed, ONE, open, type WireCase } from './case.ts';

const list = (query: string, ...fields: readonly string[]) =>
  keyed(`GET /v1/memories?${query} HTTP/1.1`, ...fields);

const WHOLE = 'one whole number, in plain digits, from 1 to 1000';
const ONCE = 'each parameter once, or another server would take another of them';
const JSON_ALWAYS = 'there is one representation, and it comes rather than a refusal';
const WEAK = 'If-None-Match compares weakly, in a list or by *';
const NO_HEADER = 'a parameter belongs in the query, and counts for nothing elsewhere';

export const reads: readonly WireCase[] = [
  ...cases('9110 §9.3.2', {
    'HEAD of a list': [keyed('HEAD /v1/memories HTTP/1.1'), open(200), 'the head of GET'],
    'HEAD of a memory': [keyed(`HEAD ${ONE} HTTP/1.1`), open(200), 'the head of GET'],
    'HEAD of nothing': [keyed('HEAD /v1/memories/none HTTP/1.1'), open(404), 'the head of GET'],
    'HEAD of a bad id': [keyed('HEAD /v1/memories/%zz HTTP/1.1'), open(422), 'the head of GET'],
    'HEAD without a key': [head(`HEAD ${ONE} HTTP/1.1`, 'Host: x'), open(401), 'the head of GET'],
    'HEAD of a probe': [head('HEAD /healthz HTTP/1.1', 'Host: x'), open(200), 'the head of GET'],
    'HEAD in HTTP/1.0': [keyed(`HEAD ${ONE} HTTP/1.0`), closed(200), 'the head of GET'],
  }),
  ...cases('9110 §15.5.21', {
    'a limit': [list('limit=1'), open(200), WHOLE],
    'the largest limit': [list('limit=1000'), open(200), WHOLE],
    'a limit beyond it': [list('limit=1001'), open(422), WHOLE],
    'no limit in its parameter': [list('limit='), open(422), WHOLE],
    'a limit without =': [list('limit'), open(422), WHOLE],
    'limit 0': [list('limit=0'), open(422), WHOLE],
    'limit -1': [list('limit=-1'), open(422), WHOLE],
    'limit 1e3': [list('limit=1e3'), open(422), WHOLE],
    'limit 0x10': [list('limit=0x10'), open(422), WHOLE],
    'limit 5.0': [list('limit=5.0'), open(422), WHOLE],
    'limit 05': [list('limit=05'), open(422), WHOLE],
    'a limit between spaces': [list('limit=+5+'), open(422), WHOLE],
    'a limit in full-width digits': [list('limit=%EF%BC%99'), open(422), WHOLE],
    'a limit of 20 digits': [list(`limit=${'9'.repeat(20)}`), open(422), WHOLE],
    'a limit twice': [list('limit=1&limit=2'), open(422), ONCE],
    'the same limit twice, once percent-encoded': [list('limit=1&%6Cimit=1'), open(422), ONCE],
    'a limit in brackets': [list('limit[]=1'), open(422), 'no parameter of that name'],
    'an unknown parameter': [list('nothing=1'), open(422), 'what is misspelt must not be ignored'],
    'a parameter named __proto__': [list('__proto__=1'), open(422), 'no parameter of that name'],
    'nothing between &': [list('&&limit=1&'), open(200), 'an empty piece says nothing'],
    'an empty cursor': [list('cursor='), open(422), 'no cursor of ours'],
    'a cursor of noise': [list('cursor=AAAAAAAA'), open(422), 'no cursor of ours'],
    'a cursor of JSON': [list('cursor=eyJfX3Byb3RvX18iOjF9'), open(422), 'no cursor of ours'],
    'a cursor of 8,000 characters': [list(`cursor=${'A'.repeat(8000)}`), open(422), 'none of ours'],
    'a value with half an escape': [list('q=%'), open(422), 'no UTF-8', '3986 §2.1'],
    'a value that is no UTF-8': [list('q=%ff'), open(422), 'no UTF-8', '3629 §3'],
    'a value with NUL': [list('q=%00'), open(422), 'no text'],
    'a name that is no UTF-8': [list('%ff=1'), open(422), 'no UTF-8', '3629 §3'],
    '4,000 parameters': [list('a&'.repeat(4000)), open(422), 'the first is unknown'],
    'a parameter as a field': [get('Fields: name'), open(422), NO_HEADER],
  }),
  ...cases('9110 §13.1.2', {
    'an etag that is another': [get('If-None-Match: "x"'), open(200), WEAK],
    'any etag': [get('If-None-Match: *'), open(304), WEAK],
    'any etag, of what is not there': [
      keyed('GET /v1/memories/none HTTP/1.1', 'If-None-Match: *'),
      open(404),
      'what would not be 200 is not 304',
      '9110 §13.2.1',
    ],
    'any etag, without a key': [
      head(`GET ${ONE} HTTP/1.1`, 'Host: x', 'If-None-Match: *'),
      open(401),
      'the key comes first',
      '9110 §13.2.1',
    ],
    'any etag, of a memory of another': [
      head(`GET ${ONE} HTTP/1.1`, 'Host: x', 'X-API-Key: <other>', 'If-None-Match: *'),
      open(404),
      'the account comes first',
      '9110 §13.2.1',
    ],
    'any etag, of a bad parameter': [
      list('limit=0', 'If-None-Match: *'),
      open(422),
      'the parameters come first',
      '9110 §13.2.1',
    ],
    'no etag at all': [get('If-None-Match:'), open(200), WEAK],
    'junk for an etag': [get('If-None-Match: junk, W/, "'), open(200), WEAK],
    'a date of modification': [
      get('If-Modified-Since: Mon, 01 Jan 2035 00:00:00 GMT'),
      open(200),
      'must be ignored where a resource has no such date',
      '9110 §13.1.3',
    ],
    'a date before which it was not modified': [
      get('If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT'),
      open(200),
      'must be ignored where a resource has no such date',
      '9110 §13.1.4',
    ],
    'a range': [get('Range: bytes=0-1'), open(200), 'a server may ignore it', '9110 §14.2'],
    'a range if it is the same': [
      get('If-Range: "x"', 'Range: bytes=0-1'),
      open(200),
      'must be ignored where ranges are not supported',
      '9110 §13.1.5',
    ],
  }),
  ...cases('9110 §12.5', {
    'another type': [get('Accept: text/html'), open(200), JSON_ALWAYS, '9110 §12.5.1'],
    'no type': [get('Accept: */*;q=0'), open(200), JSON_ALWAYS, '9110 §12.5.1'],
    'another language': [get('Accept-Language: tlh'), open(200), JSON_ALWAYS, '9110 §12.5.4'],
    'an unknown coding': [get('Accept-Encoding: foo'), open(200), JSON_ALWAYS, '9110 §12.5.3'],
    'no coding': [get('Accept-Encoding:'), open(200), 'none is wanted', '9110 §12.5.3'],
    'no encoding, and not identity': [
      get('Accept-Encoding: identity;q=0'),
      open(200),
      JSON_ALWAYS,
      '9110 §12.5.3',
    ],
    'a content type without content': [get('Content-Type: text/plain'), open(200), 'about no body'],
  }),
];
