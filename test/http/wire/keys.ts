// Credentials: which ones give access to an account, and that all others get the same 401.

import { cases, closed, head, ONE, open, type WireCase } from './case.ts';

const by = (...fields: readonly string[]) => head(`GET ${ONE} HTTP/1.1`, 'Host: x', ...fields);
const bearer = (credentials: string) => by(`Authorization: Bearer ${credentials}`);

const SAME = 'one refusal for all: nothing tells an ended key from one that never was';
const SYNTAX = 'credentials are "Bearer", spaces, and a token of base64 characters';
const ONE_WAY = 'a client must not use more than one method; the same key twice is no second one';
const ELSEWHERE = 'a key is not looked for there';

export const keys: readonly WireCase[] = [
  ...cases('6750 §2.1', {
    'a key': [bearer('<key>'), open(200), SYNTAX],
    'a key in X-API-Key': [by('x-api-key:<key>'), open(200), 'our other way'],
    'the scheme in lower case': [
      by('authorization: bearer <key>'),
      open(200),
      'a scheme ignores case',
      '9110 §11.1',
    ],
    'the scheme in capitals': [
      by('AUTHORIZATION: BEARER <key>'),
      open(200),
      'a scheme ignores case',
      '9110 §11.1',
    ],
    'two spaces behind the scheme': [bearer(' <key>'), open(200), SYNTAX],
    'spaces and tabs around the value': [
      by('Authorization: \t Bearer <key> \t '),
      open(200),
      'whitespace around a value is no part of it',
      '9110 §5.5',
    ],
    'a tab behind the scheme': [by('Authorization: Bearer\t<key>'), open(401), SYNTAX],
    'a comma behind the scheme': [by('Authorization: Bearer,<key>'), open(401), SYNTAX],
    'more behind the key': [bearer('<key> extra'), open(401), SYNTAX],
    'a parameter': [bearer('token="<key>"'), open(401), SYNTAX],
    'a key in quotes': [bearer('"<key>"'), open(401), SYNTAX],
    'a key in angle brackets': [by('Authorization: Bearer <<key>>'), open(401), SYNTAX],
    'a key without scheme': [by('Authorization: <key>'), open(401), SYNTAX],
    'a scheme without key': [by('Authorization: Bearer'), open(401), SYNTAX],
    'a scheme and a space': [by('Authorization: Bearer '), open(401), SYNTAX],
    'nothing in Authorization': [by('Authorization:'), open(401), SYNTAX],
    'nothing in X-API-Key': [by('X-API-Key:'), open(401), SAME],
    'white space alone in X-API-Key': [by('X-API-Key: \t  '), open(401), SAME],
    'white space alone as Bearer': [bearer(' \t '), open(401), SYNTAX],
    'a percent-encoded key': [bearer('mem%5F<key>'), open(401), SYNTAX],
    'bytes beyond ASCII': [bearer('\xe9\xe2\x98\x83'), open(401), SYNTAX],
    'a key of 15,000 characters': [bearer(`mem_${'a'.repeat(15_000)}`), open(401), SAME],
    'the beginning of a key': [bearer('mem_'), open(401), SAME],
    'a key that was read with its line break': [
      by('X-API-Key: <key>\n'),
      closed(400),
      'a bare LF behind a value is refused',
      '9112 §2.2',
    ],
    'a key with more behind it': [bearer('<key>0'), open(401), SAME],
  }),
  ...cases('9110 §15.5.2', {
    'no key': [by(), open(401), 'a 401 has WWW-Authenticate'],
    'no key, where there is nothing': [
      head('GET /v1/nothing HTTP/1.1', 'Host: x'),
      open(401),
      'what is there is told to who has a key',
    ],
    'a revoked key': [bearer('<revoked>'), open(401), SAME],
    'an expired key': [bearer('<expired>'), open(401), SAME],
    'a key of a disabled account': [bearer('<disabled>'), open(401), SAME],
    'a key that was never issued': [bearer('<unknown>'), open(401), SAME],
    'a key of another account': [bearer('<other>'), open(404), 'as if the memory were not there'],
    Basic: [by('Authorization: Basic YTpi'), open(401), 'another scheme'],
    'Basic and a key': [
      by('Authorization: Basic YTpi', 'X-API-Key: <key>'),
      open(200),
      'another scheme is for who stands before the gateway',
    ],
  }),
  ...cases('6750 §2', {
    'the same key in both': [
      by('Authorization: Bearer <key>', 'X-API-Key: <key>'),
      open(200),
      ONE_WAY,
    ],
    'a key each, both good': [
      by('Authorization: Bearer <key>', 'X-API-Key: <other>'),
      open(401),
      ONE_WAY,
    ],
    'nothing as Bearer, and a key': [
      by('Authorization: Bearer', 'X-API-Key: <key>'),
      open(401),
      ONE_WAY,
    ],
    'a bad key and a good one': [
      by('Authorization: Bearer <revoked>', 'X-API-Key: <key>'),
      open(401),
      ONE_WAY,
    ],
    'Authorization twice': [
      by('Authorization: Bearer <key>', 'Authorization: Bearer <key>'),
      open(401),
      'Authorization is no list',
      '9110 §5.3',
    ],
    'Authorization of two keys': [
      by('Authorization: Bearer <key>', 'Authorization: Bearer <other>'),
      open(401),
      'Authorization is no list',
      '9110 §5.3',
    ],
    'Authorization of Basic and of Bearer': [
      by('Authorization: Basic YTpi', 'Authorization: Bearer <key>'),
      open(401),
      'Authorization is no list',
      '9110 §5.3',
    ],
    'X-API-Key twice': [by('X-API-Key: <key>', 'X-API-Key: <key>'), open(401), 'no list, either'],
    'two keys in X-API-Key': [by('X-API-Key: <key>, <key>'), open(401), 'no list, either'],
  }),
  ...cases('6750 §2.3', {
    'a key in the query': [
      head('GET /v1/memories?access_token=<key> HTTP/1.1', 'Host: x'),
      open(401),
      'a key does not belong where it is logged',
    ],
    'a key in the path': [head('GET /v1/memories/<key> HTTP/1.1', 'Host: x'), open(401), ELSEWHERE],
    'a key in a cookie': [by('Cookie: X-API-Key=<key>'), open(401), ELSEWHERE],
    'a key with underscores in its name': [by('X_API_Key: <key>'), open(401), ELSEWHERE],
    'a key for a proxy': [by('Proxy-Authorization: Bearer <key>'), open(401), ELSEWHERE],
  }),
];
