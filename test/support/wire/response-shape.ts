// Checks the rules that apply to every response.

import assert from 'node:assert/strict';

import type { WireAnswer } from './wire.ts';

/** The headers about caching that differ by path. */
interface Caching {
  readonly 'cache-control': string;
  readonly vary: string;
}

const OF_V1: Caching = {
  'cache-control': 'private, no-cache',
  vary: 'authorization, x-api-key, accept-encoding',
};

/** Asserts the one error shape and the headers that every failure has. Returns its detail. */
export function assertFailure(
  answer: WireAnswer,
  status: number,
  what = '',
  caching: Caching = OF_V1,
): string {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', what);
  assert.equal(answer.headers['content-length'], String(answer.body.length), what);
  assertAlways(answer, what, caching);
  const body = JSON.parse(answer.text) as { detail: unknown };
  assert.deepEqual(Object.keys(body), ['detail'], what);
  assert.match(String(body.detail), /^[A-Z].*[.?]$/s, what);
  assert.doesNotMatch(answer.text, /SQL|sqlite|node:|\.ts|at .*\(|stack/i, what);
  return String(body.detail);
}

/** Asserts the headers that every response has. */
export function assertAlways({ headers }: WireAnswer, what = '', caching = OF_V1): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
  assert.equal(headers['cache-control'], caching['cache-control'], what);
  assert.equal(headers['vary'], caching.vary, what);
  assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, what);
  assert.equal(headers['access-control-allow-origin'], undefined, what);
}

/** Removes the values that differ in every response. */
export function comparable({ status, headers, text }: WireAnswer) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, text };
}
