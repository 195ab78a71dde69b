// The check of responses against the OpenAPI document: it finds every difference.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

import { readExamples } from '../../src/gateway/public/openapi.ts';
import { assertDocumented } from '../support/wire/openapi-check.ts';

const { memories, changes } = readExamples();

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
const CHANGES = { method: 'GET', target: '/some/prefix/v1/changes' };

/** The same request with another query parameter. */
const and = ({ method, target }: typeof GET, query: string) => ({
  method,
  target: `${target}${target.includes('?') ? '&' : '?'}${query}`,
});

function answer(status: number, value: unknown, more: Record<string, string | undefined> = {}) {
  const headers = Object.entries({ ...ALWAYS, ...more }).filter(([, each]) => each !== undefined);
  const body = value instanceof Buffer ? value : Buffer.from(JSON.stringify(value) ?? '');
  return { status, headers: Object.fromEntries(headers) as Record<string, string>, body };
}

const etag = '"a"';
const ok = (value: unknown, more: Record<string, string | undefined> = {}) =>
  answer(200, value, { etag, ...more });
const failed = { detail: 'Say it again.' };

const next = '</v1/memories?cursor=a>; rel="next"';
const first = '</v1/memories?cursor=b>; rel="first"';
const since = '<https://host.example/v1/changes?since=a>; rel="next"';

describe('A response compared with the OpenAPI document', () => {
  it('passes if all of it is documented', () => {
    const packed = gzipSync(JSON.stringify(memories.get));
    for (const link of [undefined, next, first, `${next}, ${first}`])
      assertDocumented(LIST, ok(memories.list, { link }));
    for (const list of [changes.list, []]) assertDocumented(CHANGES, ok(list, { link: since }));
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

  it('fails if something is missing, additional or of another type', () => {
    const { get } = memories;
    const { transcript: _, ...short } = get;
    const wrong = [
      ['no such status', LIST, answer(404, failed)],
      ['no such status', GET, answer(418, failed)],
      ['vary is missing', GET, ok(get, { vary: undefined })],
      ['etag is missing', { ...GET, method: 'HEAD' }, ok(undefined, { etag: undefined })],
      ['www-authenticate is missing', GET, answer(401, failed)],
      ['no header allow', GET, answer(404, failed, { allow: 'GET' })],
      ['no header link', GET, ok(get, { link: next })],
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
      ['must match pattern', GET, ok({ ...get, started_at: '2026-11-18T17:42:10Z' })],
      ['must match pattern', GET, ok({ ...get, ended_at: '2026-11-18T17:42:10.000+01:00' })],
      ['must match pattern', GET, ok({ ...get, id: 'a b' })],
      ['must be array', LIST, ok(get)],
      ['must be object', GET, ok([get])],
      ["property 'detail'", GET, answer(500, { message: 'a' })],
      ['additional properties', { method: 'POST', target: '/' }, answer(404, { ...failed, a: 1 })],
    ] as const;
    for (const [says, asked, given] of wrong)
      assert.throws(() => assertDocumented(asked, given), new RegExp(says), says);
  });

  it('has whole memories without fields and cursor, and otherwise the requested fields', () => {
    const { id, name, transcript } = memories.get;
    const { transcript: _, ...slim } = memories.get;
    const right = [
      [and(GET, 'fields=name'), { id, name }],
      [and(GET, 'fields=transcript,name'), { id, name, transcript }],
      [and(GET, 'fields=id'), { id }],
      [and(LIST, 'fields=name%2Ctranscript'), [{ id, name, transcript }]],
      [and(LIST, 'cursor=a'), memories.list],
      [and(LIST, 'cursor=a'), [slim, slim]],
      [and(LIST, 'fields=name'), []],
    ] as const;
    for (const [asked, value] of right) assertDocumented(asked, ok(value));
    const wrong = [
      ["property 'transcript'", GET, slim],
      ["property 'transcript'", LIST, [memories.get, slim]],
      ['exactly the selected fields', and(GET, 'fields=name'), memories.get],
      ['exactly the selected fields', and(GET, 'fields=name'), { id, name, transcript }],
      ['exactly the selected fields', and(GET, 'fields=name,transcript'), { id, name }],
      ['exactly the selected fields', and(GET, 'fields=name'), { name, id }],
      ["property 'id'", and(GET, 'fields=name'), { name }],
      ['must be string', and(GET, 'fields=name'), { id, name: null }],
      ['additional properties', and(GET, 'fields=name'), { id, name, mood: 'fine' }],
      ['exactly the selected fields', and(LIST, 'fields=name'), [{ id, name }, { id }]],
      ['exactly the selected fields', and(LIST, 'cursor=a'), [memories.get, slim]],
      ['additional properties', and(LIST, 'cursor=a'), [{ id, mood: 'fine' }]],
      ['must be array', and(LIST, 'fields=name'), { id, name }],
    ] as const;
    for (const [says, asked, value] of wrong)
      assert.throws(() => assertDocumented(asked, ok(value)), new RegExp(says), says);
  });

  it('has only documented links, and changes always have one', () => {
    const [change] = changes.list;
    const wrong = [
      ['link is missing', CHANGES, ok([])],
      ['must match pattern', CHANGES, ok([], { link: next })],
      ['must match pattern', CHANGES, ok([], { link: since.replace('next', 'first') })],
      ['must match pattern', CHANGES, ok([], { link: `${since}, ${first}` })],
      ['must match pattern', LIST, ok([], { link: since })],
      ['must match pattern', LIST, ok([], { link: next.replace('next', 'last') })],
      ['must match pattern', LIST, ok([], { link: next.replace('cursor', 'limit=1&cursor') })],
      ['must match pattern', LIST, ok([], { link: `${first}, ${next}` })],
      ['must match pattern', LIST, ok([], { link: `${next}, ${next}` })],
      ['no such status', CHANGES, answer(404, failed)],
      ['must be array', CHANGES, ok(change, { link: since })],
      ['allowed values', CHANGES, ok([{ ...change, change: 'insert' }], { link: since })],
      ['date-time', CHANGES, ok([{ ...change, changed_at: 'now' }], { link: since })],
      ["property 'memory_id'", CHANGES, ok([{ id: 'a', change: 'delete' }], { link: since })],
      ['additional', CHANGES, ok([{ ...change, name: 'Voice memo' }], { link: since })],
    ] as const;
    for (const [says, asked, given] of wrong)
      assert.throws(() => assertDocumented(asked, given), new RegExp(says), says);
  });
});
