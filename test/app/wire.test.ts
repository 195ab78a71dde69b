// The app in exact bytes: its bodies end where their length says, and no request is smuggled behind them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { converse, scattered, single, whole } from '../http/wire/converse.ts';
import { cookieOf, createAppWorld } from '../support/app/app-world.ts';
import { readAnswers } from '../support/wire/wire.ts';

const LAST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** A request, the statuses of its responses, and whether the connection ends after them. */
type Row = readonly [bytes: string, statuses: readonly number[], closes: boolean];

/** Fills in Host, Origin, cookie and type. A field with `null` is left out. */
function request(line: string, body: string | null, change: Record<string, string | null> = {}) {
  const fields = {
    Host: '<host>',
    Origin: 'http://<host>',
    Cookie: '<cookie>',
    'Content-Type': 'application/json',
    'Content-Length': body === null ? null : String(Buffer.byteLength(body)),
    ...change,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return [`${line} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
}

const KEY = JSON.stringify({ label: 'wire', expires_at: null });
const post = (body: string | null, change?: Record<string, string | null>) =>
  request('POST /app/v1/keys', body, change);
const get = (path: string, change: Record<string, string | null> = {}) =>
  request(`GET ${path}`, null, { Origin: null, 'Content-Type': null, ...change });

const ROWS: Readonly<Record<string, Row>> = {
  'a body, and the next request': [post(KEY), [200], false],
  'two requests with bodies in one piece': [post(KEY) + post(KEY), [200, 200], false],
  'a body that looks like a request': [post(LAST), [400], true],
  'an empty body': [post(''), [422], false],
  'a body of another type': [post(KEY, { 'Content-Type': 'text/plain' }), [415], true],
  'a body of another origin': [post(KEY, { Origin: 'http://evil.example' }), [403], true],
  'a body without a session': [post(KEY, { Cookie: null }), [401], false],
  'a body that is too large': [post('x'.repeat(8193)), [413], true],
  'a body of 1 TB, and nothing of it': [
    post('', { 'Content-Length': '1000000000000' }),
    [413],
    true,
  ],
  'no length': [post(null), [411], false],
  chunks: [`${post(null, { 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`, [411], true],
  'chunks and a length': [`${post('', { 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`, [400], true],
  'two lengths': [post('{}', { 'content-length': '2' }), [400], true],
  'a length with a sign': [post('{}', { 'Content-Length': '+2' }), [400], true],
  'two origins': [post(KEY, { origin: 'http://<host>' }), [403], true],
  'no host': [post(KEY, { Host: null }), [400], true],
  'a read with a body': [
    get('/app/v1/memories/one', { 'Content-Length': '2' }) + '{}',
    [200],
    true,
  ],
  'a read of an own endpoint with a body': [
    get('/app/v1/me', { 'Content-Length': '2' }) + '{}',
    [200],
    true,
  ],
  HEAD: [get('/app/v1/me').replace('GET', 'HEAD'), [200], false],
  'a page with a body': [get('/app/', { 'Content-Length': '2' }) + '{}', [200], true],
  'POST to a page': [request('POST /app/', '{}'), [405], true],
  'a path with an encoded slash': [get('/app/v1/keys%2f1'), [404], false],
  'dot segments': [get('/app/v1/../v1/me'), [404], false],
  'two slashes': [get('//app/v1/me'), [404], false],
  'absolute-form of another host': [get('http://evil.example/app/v1/me'), [200], false],
  'an unknown method': [request('BREW /app/v1/me', '{}'), [400], true],
};

describe('A request to the app in exact bytes', () => {
  for (const [name, cut] of Object.entries({
    whole,
    'byte by byte': single,
    'cut at random': scattered(7),
  }))
    it(`gets its response, sent ${name}, and the next request gets its own`, async (t) => {
      const { port, signIn } = await createAppWorld(t);
      const { jar } = await signIn();
      const cookie = cookieOf(jar);
      const wrong: string[] = [];
      for (const [what, [template, statuses, closes]] of Object.entries(ROWS)) {
        const bytes = template
          .replaceAll('<host>', `127.0.0.1:${port}`)
          .replaceAll('<cookie>', cookie);
        const pieces = cut(Buffer.from(bytes, 'latin1'));
        const next = { answers: statuses.length, bytes: LAST };
        const text = await converse(port, closes ? { pieces } : { pieces, next });
        const answers = readAnswers(text, bytes + LAST).map(({ status }) => status);
        const expected = closes ? statuses : [...statuses, 200];
        if (answers.join() !== expected.join()) wrong.push(`${what}: ${answers.join()}`);
      }
      assert.deepEqual(wrong, []);
    });
});
