// The fuzz test's own checks: how it reads responses and which ones it accepts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Owner } from '../fuzz/accounts.ts';
import { get } from '../fuzz/corpus.ts';
import { createJudge, type Came } from '../fuzz/judge.ts';
import { readAnswers } from '../fuzz/read-responses.ts';
import { isPlain, type Header } from '../fuzz/request.ts';
import { partOf } from '../fuzz/script.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]';

function read(text: string, asking = { mayBeHead: false, mayBeOld: false }) {
  return readAnswers(Buffer.from(text, 'latin1'), asking);
}

const ALWAYS =
  'date: Sun, 22 Nov 2026 06:00:00 GMT\r\nx-content-type-options: nosniff\r\ncache-control: private, no-cache\r\nvary: authorization, x-api-key, accept-encoding\r\nx-request-id: 01234567-89ab-cdef-0123-456789abcdef\r\n';

/** A response with every required header. */
function answer(status: string, body: string, more = ''): string {
  const type = 'content-type: application/json; charset=utf-8\r\n';
  return `HTTP/1.1 ${status}\r\n${ALWAYS}${type}${more}content-length: ${body.length}\r\n\r\n${body}`;
}

const came = (text: string, ms = 1): Came => ({ bytes: Buffer.from(text), end: 'closed', ms });

describe('The fuzz test reads', () => {
  it('consecutive responses, by their length or their chunks', () => {
    const chunked =
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n';
    const { answers, fault } = read(`${ANSWER}${chunked}HTTP/1.1 304 Not Modified\r\n\r\n`);
    assert.equal(fault, undefined);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.toString()]),
      [
        [200, '[]'],
        [200, '[]'],
        [304, ''],
      ],
    );
    assert.equal(
      read(ANSWER.slice(0, -2), { mayBeHead: true, mayBeOld: false }).answers[0]?.isHead,
      true,
    );
  });

  it('no malformed response', () => {
    const wrong = {
      'a body that is too short': ANSWER.slice(0, -1),
      'bytes behind the end': `${ANSWER}x`,
      'no length': 'HTTP/1.1 200 OK\r\n\r\n[]',
      'two lengths': ANSWER.replace('\r\n\r\n', '\r\ncontent-length: 2\r\n\r\n'),
      'a length and chunks': ANSWER.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n'),
      'chunks that break off': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n',
      'a head that breaks off': ANSWER.slice(0, 30),
      'a status that is none': ANSWER.replace('200', '2000'),
      'another version': ANSWER.replace('1.1', '1.0'),
      'a line feed alone': ANSWER.replace('\r\n', '\n'),
      'an interim answer': `HTTP/1.1 100 Continue\r\n\r\n${ANSWER}`,
      'a body for 304': ANSWER.replace('200 OK', '304 Not Modified'),
      'a coding it is not in': ANSWER.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n'),
    };
    for (const [what, text] of Object.entries(wrong)) assert.ok(read(text).fault, what);
  });
});

describe('The fuzz test finds', () => {
  const owner = (id: string): Owner => {
    return { id, canary: `canary-of-${id}`, active: [`key-of-${id}`], dead: [], memories: [] };
  };
  const judge = () => createJudge([owner('ana'), owner('bo')]);
  const mine = [partOf(get('/v1/memories/a', 'key-of-ana'))];
  const memory = (name: string) =>
    `{"id":"a","name":"canary-of-${name}","started_at":"2026-01-01T00:00:00.000Z"}`;

  it('no fault in right responses', () => {
    const good = answer('200 OK', memory('ana'));
    assert.equal(judge()(mine, came(good)).complaint, undefined);
    const both = [...mine, partOf(get('/v1/memories/a', 'key-of-bo'))];
    const two = came(good + answer('200 OK', memory('bo')));
    assert.equal(judge()(both, two).complaint, undefined);
    const late = answer('408 Too Late', '{"detail":"It came too late."}', 'connection: close\r\n');
    assert.equal(judge()(both, came(good + late, 2001)).complaint, undefined, 'a slow client');
  });

  it('every fault in wrong responses', () => {
    const good = answer('200 OK', memory('ana'));
    const other = partOf(get('/v1/memories/a', 'key-of-bo'));
    const none = partOf(get('/v1/memories/a', ''));
    const fail = (status: string, body: string) => answer(status, body);
    const wrong: readonly [string, typeof mine, string][] = [
      ['text of another account', mine, answer('200 OK', memory('bo'))],
      ['text of another account', [...mine, other], good + good],
      ['text of another account', [{ bytes: 'junk' }], good],
      ['a request without a response', [...mine, other], good],
      ['an unexpected response', mine, good + answer('200 OK', '{"status":"up"}')],
      ['401 for a valid key, or another status without one', [none], good],
      [
        '401 for a valid key, or another status without one',
        [none],
        answer('408 Too Late', '{"detail":"It came too late."}', 'connection: close\r\n'),
      ],
      ['200 must have a body as the contract describes', mine, answer('200 OK', '{"id":1}')],
      [
        '200 must have no CORS headers',
        mine,
        answer('200 OK', memory('ana'), 'access-control-allow-origin: *\r\n'),
      ],
      ['500 must have a documented status', mine, fail('500 Oh', '{"detail":"It broke."}')],
      ['422 must have a detail and nothing else', mine, fail('422 No', '{"error":"No."}')],
      ['422 must have a detail and nothing else', mine, fail('422 No', '{"detail":"No.","a":1}')],
      [
        '422 must have no internal details',
        mine,
        fail('422 No', '{"detail":"TypeError at f (a.ts)."}'),
      ],
      [
        '404 must have vary, by key and encoding',
        mine,
        fail('404 No', '{"detail":"There is none."}').replace('vary', 'very'),
      ],
      [
        '401 must have www-authenticate only on 401',
        [none],
        fail('401 No', '{"detail":"There is no key."}'),
      ],
      [
        'a response after the last one',
        mine,
        answer('404 No', '{"detail":"There is none."}', 'connection: close\r\n') + good,
      ],
    ];
    for (const [kind, parts, text] of wrong)
      assert.equal(judge()(parts, came(text)).complaint?.kind, kind);
    const again = judge();
    assert.equal(again(mine, came(good)).complaint, undefined);
    const changed = answer('200 OK', memory('ana').replace('a"', 'b"'));
    assert.equal(again(mine, came(changed)).complaint?.kind, 'a different response than before');
    const hung: Came = { ...came(good), end: 'hung' };
    assert.equal(judge()(mine, hung).complaint?.kind, 'a connection that stays open');
  });
});

describe('A request of the fuzz test', () => {
  it('is well-formed if there is only one way to read it', () => {
    const plain = get('/v1/memories?limit=1', 'k');
    const also = (...line: Header) => ({ ...plain, headers: [...plain.headers, line] });
    assert.ok(isPlain(plain));
    assert.ok(isPlain(also('Accept', 'a\xE9')));
    for (const odd of [
      { ...plain, method: 'get' },
      { ...plain, target: '/a b' },
      { ...plain, target: '/#a' },
      { ...plain, target: `/${'a'.repeat(13_312)}` },
      { ...plain, version: 'HTTP/1.0' },
      { ...plain, body: 'x' },
      { ...plain, headers: plain.headers.slice(1) },
      also('Host', 'other'),
      also('content-Length', '0'),
      also('Connection', 'close'),
      also('A', 'b\r\nc'),
      also('A b', ''),
      also('A', 'a'.repeat(16_000)),
    ])
      assert.ok(!isPlain(odd), JSON.stringify(odd).slice(0, 200));
  });
});
