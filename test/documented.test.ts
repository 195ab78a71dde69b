// The check against the OpenAPI document: it finds what is not in it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

import { readExamples } from '../src/gateway/examples.ts';
import { assertDocumented } from './support/documented.ts';

const { memories } = readExamples();

const ALWAYS = {
  date: 'Sat, 21 Nov 2026 17:43:48 GMT',
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a',
  'cache-control': 'private, no-cache',
  vary: 'authorization, x-api-key, accept-encoding',
  'x-content-type-options': 'nosniff',
};

const LIST = { method: 'GET', target: '/v1/memories?limit=1' };
const GET = { method: 'GET', target: 'http://any/v1/memories/a' };

function answer(status: number, value: unknown, more: Record<string, string | undefined> = {}) {
  const headers = Object.entries({ ...ALWAYS, ...more }).filter(([, each]) => each !== undefined);
  const body = value instanceof Buffer ? value : Buffer.from(JSON.stringify(value) ?? '');
  return { status, headers: Object.fromEntries(headers) as Record<string, string>, body };
}

const etag = '"a"';
const ok = (value: unknown, more: Record<string, string | undefined> = {}) =>
  answer(200, value, { etag, ...more });
const failed = { detail: 'Say it again.' };

describe('An answer held against the document', () => {
  it('passes when all of it is there', () => {
    const packed = gzipSync(JSON.stringify(memories.get));
    assertDocumented(LIST, ok(memories.list, { link: '</v1/memories?cursor=a>; rel="next"' }));
    assertDocumented(GET, ok(memories.get, { 'access-control-allow-origin': 'https://a.example' }));
    assertDocumented(GET, ok(packed, { 'content-encoding': 'gzip' }));
    assertDocumented({ ...GET, method: 'HEAD' }, ok(undefined));
    assertDocumented(GET, answer(304, undefined, { etag, 'content-type': undefined }));
    assertDocumented(GET, answer(404, failed));
    assertDocumented(LIST, answer(401, failed, { 'www-authenticate': 'Bearer' }));
    assertDocumented(
      { method: 'POST', target: LIST.target },
      answer(405, failed, { allow: 'GET' }),
    );
    assertDocumented({ method: 'GET', target: '/elsewhere' }, ok('anything'));
  });

  it('fails by what is missing, too much, or of another type', () => {
    const { get } = memories;
    const { transcript: _, ...short } = get;
    const wrong = [
      ['no such status', LIST, answer(404, failed)],
      ['no such status', GET, answer(418, failed)],
      ['vary is missing', GET, ok(get, { vary: undefined })],
      ['etag is missing', { ...GET, method: 'HEAD' }, ok(undefined, { etag: undefined })],
      ['www-authenticate is missing', GET, answer(401, failed)],
      ['no header allow', GET, answer(404, failed, { allow: 'GET' })],
      ['no header link', GET, ok(get, { link: '</v1/memories?cursor=a>; rel="next"' })],
      ['no header server', GET, ok(get, { server: 'a' })],
      ['cache-control', GET, ok(get, { 'cache-control': 'public' })],
      ['text/html', GET, ok(get, { 'content-type': 'text/html' })],
      ['content-type|charset', GET, answer(304, undefined, { etag })],
      ["property 'transcript'", GET, ok(short)],
      ['additional properties', GET, ok({ ...get, mood: 'fine' })],
      ['additional properties', GET, ok({ ...get, summary: { ...get.summary, mood: 'fine' } })],
      ['must be integer', GET, ok({ ...get, duration_seconds: 1.5 })],
      ['must be >= 0', LIST, ok([{ ...get, duration_seconds: -1 }])],
      ['date-time', GET, ok({ ...get, started_at: 'yesterday' })],
      ['must match pattern', GET, ok({ ...get, id: 'a b' })],
      ['must be array', LIST, ok(get)],
      ['must be object', GET, ok([get])],
      ["property 'detail'", GET, answer(500, { message: 'a' })],
      ['additional properties', { method: 'POST', target: '/' }, answer(404, { ...failed, a: 1 })],
    ] as const;
    for (const [says, asked, given] of wrong)
      assert.throws(() => assertDocumented(asked, given), new RegExp(says), says);
  });
});
