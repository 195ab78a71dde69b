// What every answer must be, whatever it says.

import assert from 'node:assert/strict';

import type { WireAnswer } from './wire.ts';

/** Asserts the one error shape and the headers that every failure has; returns its detail. */
export function assertFailure(answer: WireAnswer, status: number, what = ''): string {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', what);
  assert.equal(answer.headers['content-length'], String(answer.body.length), what);
  assertAlways(answer, what);
  const body = JSON.parse(answer.text) as { detail: unknown };
  assert.deepEqual(Object.keys(body), ['detail'], what);
  assert.match(String(body.detail), /^[A-Z].*\.$/s, what);
  assert.doesNotMatch(answer.text, /SQL|sqlite|node:|\.ts|at .*\(|stack/i, what);
  return String(body.detail);
}

/** Asserts the headers that every answer has. */
export function assertAlways({ headers }: WireAnswer, what = ''): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
  assert.equal(headers['cache-control'], 'private, no-cache', what);
  assert.equal(headers['vary'], 'authorization, x-api-key, accept-encoding', what);
  assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, what);
  assert.equal(headers['access-control-allow-origin'], undefined, what);
}

/** An answer without what must differ from one to the next. */
export function comparable({ status, headers, text }: WireAnswer) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, text };
}
