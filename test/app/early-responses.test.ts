// The requests that the page sends before the app's script is there.

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';

import { keepEarly, takeEarly } from '../../src/app/browser/state/early-responses.ts';

const DAYS = 'http://gateway/app/v1/days';
const HANGING = 'http://gateway/app/v1/me';

describe('The response to an early request', () => {
  beforeEach(() => Reflect.deleteProperty(globalThis, 'early')); // each is the beginning of a page

  it('is taken once, by a request that reads the same, and fails after a minute as others do', async (t) => {
    const ending = new AbortController();
    const timeout = t.mock.method(AbortSignal, 'timeout', () => ending.signal);
    t.mock.method(globalThis, 'fetch', (url: string, { signal }: RequestInit = {}) =>
      url === DAYS
        ? Promise.resolve(new Response('days'))
        : new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('too late')));
          }),
    );
    keepEarly([DAYS, HANGING]);
    assert.equal(takeEarly(new Request(`${DAYS}?limit=1`)), undefined);
    const response = await takeEarly(new Request(DAYS));
    assert.equal(await response?.text(), 'days');
    assert.equal(takeEarly(new Request(DAYS)), undefined);
    const hanging = takeEarly(new Request(HANGING));
    ending.abort();
    await assert.rejects(async () => hanging, /too late/);
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [60_000]);
  });

  it('is none if the app has asked before it: a later request would get what was there then', (t) => {
    const fetched = t.mock.method(globalThis, 'fetch', () => Promise.resolve(new Response('days')));
    assert.equal(takeEarly(new Request(DAYS)), undefined);
    keepEarly([DAYS]);
    assert.equal(takeEarly(new Request(DAYS)), undefined);
    assert.equal(fetched.mock.callCount(), 0);
  });
});
