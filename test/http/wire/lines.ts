// The request line: method, target and version with one space between them, and CRLF.

import { cases, closed, head, keyed, ONE, open, PING, get, type WireCase } from './case.ts';

const BAD = 'an invalid request line gets 400';
const METHOD = 'the parser knows the registered methods alone, and tells no other from garbage';
const READ_ONLY = 'a known method that is not allowed here is 405 with Allow';
const VERSION = 'HTTP-version is "HTTP/", a digit, "." and a digit';

export const lines: readonly WireCase[] = [
  ...cases('9112 §3', {
    'a plain line': [get(), open(200), 'method SP request-target SP HTTP-version'],
    'two spaces before the target': [
      keyed(`GET  ${ONE} HTTP/1.1`),
      open(200),
      'a recipient may parse on whitespace-delimited word boundaries',
    ],
    'two spaces behind the target': [
      keyed(`GET ${ONE}  HTTP/1.1`),
      open(200),
      'a recipient may parse on whitespace-delimited word boundaries',
    ],
    'tabs for spaces': [keyed(`GET\t${ONE}\tHTTP/1.1`), closed(400), BAD],
    'a space before the method': [keyed(` GET ${ONE} HTTP/1.1`), closed(400), BAD],
    'a space behind the version': [keyed(`GET ${ONE} HTTP/1.1 `), closed(400), BAD],
    'no target': [keyed('GET HTTP/1.1'), closed(400), BAD],
    'an empty target': [keyed('GET  HTTP/1.1'), closed(400), BAD],
    'no version behind a space': [keyed(`GET ${ONE} `), closed(400), BAD],
    'a space in the target': [keyed('GET /v1/mem ories HTTP/1.1'), closed(400), BAD],
    'words without sense': [head('nonsense'), closed(400), BAD],
  }),
  ...cases('9112 §2.2', {
    'an empty line first': [
      `\r\n${get()}`,
      open(200),
      'a server should ignore at least one empty line before the request line',
    ],
    'a hundred empty lines first': [
      '\r\n'.repeat(100) + get(),
      open(200),
      'a server should ignore at least one empty line before the request line',
    ],
    'an empty line between two requests': [
      `${get()}\r\n${PING}`,
      open(200, 200),
      'also where a client has put it behind a body that it did not send',
    ],
    'a bare LF first': [`\n${get()}`, open(200), 'a recipient may take a single LF for an end'],
    'a line of a space first': [
      ` \r\n${get()}`,
      closed(400),
      'whitespace there is no empty line, and hides what follows',
    ],
    'bare LFs': [
      `GET ${ONE} HTTP/1.1\nHost: x\n\n`,
      closed(400),
      'what some take for an end of line and others do not is not taken',
    ],
    'a bare LF behind the request line': [
      `GET ${ONE} HTTP/1.1\nHost: x\r\n\r\n`,
      closed(400),
      'what some take for an end of line and others do not is not taken',
    ],
    'a bare CR behind the request line': [
      `GET ${ONE} HTTP/1.1\rHost: x\r\n\r\n`,
      closed(400),
      'a bare CR is invalid',
    ],
    'a TLS hello': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', closed(400), 'no HTTP at all'],
    'a preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', closed(400), 'another protocol'],
    'a line of the PROXY protocol': [
      `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${PING}`,
      closed(400),
      'another protocol, which could say whom the request comes from',
    ],
    'a greeting of SSH': ['SSH-2.0-client\r\n', closed(400), 'another protocol'],
    'a greeting of SMTP': ['EHLO client\r\n', closed(400), 'another protocol'],
    'a greeting of SOCKS': ['\x05\x01\x00', closed(400), 'another protocol'],
    'a command of Redis': ['*1\r\n$4\r\nPING\r\n', closed(400), 'another protocol'],
    '64 kB of noise': [
      Array.from({ length: 65_536 }, (_, i) => String.fromCharCode((i * 7919 + 13) % 256)).join(''),
      closed(400),
      'no HTTP at all',
    ],
  }),
  ...cases('9112 §2.3', {
    'HTTP/1.0': [
      keyed(`GET ${ONE} HTTP/1.0`),
      closed(200),
      'gets a response, and the connection closes',
    ],
    'HTTP/2.0': [
      keyed(`GET ${ONE} HTTP/2.0`),
      closed(505),
      'another major version',
      '9110 §15.6.6',
    ],
    'HTTP/0.9 with a head': [keyed(`GET ${ONE}`), closed(505), 'another version', '9110 §15.6.6'],
    'HTTP/0.9 in numbers': [
      keyed(`GET ${ONE} HTTP/0.9`),
      closed(505),
      'another major version',
      '9110 §15.6.6',
    ],
    'HTTP/1.2': [
      keyed(`GET ${ONE} HTTP/1.2`),
      closed(400),
      'it does not exist: a server should take it for 1.1, but the parser does not',
      '9110 §2.5',
    ],
    'HTTP/3.7': [keyed(`GET ${ONE} HTTP/3.7`), closed(400), 'it does not exist'],
    'HTTP/01.1': [keyed(`GET ${ONE} HTTP/01.1`), closed(400), VERSION],
    'HTTP/11.1': [keyed(`GET ${ONE} HTTP/11.1`), closed(400), VERSION],
    'HTTP/1.10': [keyed(`GET ${ONE} HTTP/1.10`), closed(400), VERSION],
    'HTTP/1': [keyed(`GET ${ONE} HTTP/1`), closed(400), VERSION],
    'HTTP/1,1': [keyed(`GET ${ONE} HTTP/1,1`), closed(400), VERSION],
    'a version in lower case': [keyed(`GET ${ONE} http/1.1`), closed(400), 'it is case-sensitive'],
    'a name before HTTP': [keyed(`GET ${ONE} XHTTP/1.1`), closed(400), VERSION],
  }),
  ...cases('9112 §3.1', {
    'a method in lower case': [
      keyed(`get ${ONE} HTTP/1.1`),
      closed(400),
      'methods are case-sensitive, so that this one is unknown',
    ],
    'an unknown method': [keyed(`FOO ${ONE} HTTP/1.1`), closed(400), METHOD],
    'a method that begins like GET': [keyed(`GETS ${ONE} HTTP/1.1`), closed(400), METHOD],
    'a method that is no token': [keyed(`G@T ${ONE} HTTP/1.1`), closed(400), 'a method is a token'],
    'a method of RTSP': [keyed(`DESCRIBE ${ONE} HTTP/1.1`), closed(400), METHOD],
    'a method of 100 kB': [keyed(`${'G'.repeat(100_000)} / HTTP/1.1`), closed(400), METHOD],
  }),
  ...cases('9110 §15.5.6', {
    POST: [keyed(`POST ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    PUT: [keyed(`PUT ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    PATCH: [keyed(`PATCH ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    DELETE: [keyed(`DELETE ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    OPTIONS: [keyed(`OPTIONS ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    TRACE: [
      keyed(`TRACE ${ONE} HTTP/1.1`),
      open(405),
      'it would send the key back to anyone who reads the response',
      '9110 §9.3.8',
    ],
    QUERY: [keyed(`QUERY ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    PROPFIND: [keyed(`PROPFIND ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    PURGE: [keyed(`PURGE ${ONE} HTTP/1.1`), open(405), READ_ONLY],
    'POST where there is nothing': [
      keyed('POST /v1/nothing HTTP/1.1'),
      open(404),
      'a path comes before its methods',
      '9110 §15.5.5',
    ],
    'POST without a key': [
      head(`POST ${ONE} HTTP/1.1`, 'Host: x'),
      open(401),
      'the key is checked before anything else',
      '9110 §15.5.2',
    ],
    'POST to a probe': [head('POST /healthz HTTP/1.1', 'Host: x'), open(405), READ_ONLY],
    'another method by a field': [
      get('X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE'),
      open(200),
      'the method stands in the request line',
      '9110 §9.1',
    ],
  }),
];
