// What every source does when a product fails: it retries what is temporary, says what is not, and keeps its credential.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { SourceFailure, type ProblemKind } from '../../src/sources/failure.ts';
import { fireflies } from '../../src/sources/products/fireflies.ts';
import { limitless } from '../../src/sources/products/limitless.ts';
import { createProduct, type Answer } from '../support/sources/fake-product.ts';
import { createLimitless, lifelog } from '../support/sources/lifelogs.ts';
import { idsOf, readPages, SECRET } from '../support/sources/pulls.ts';

const ALL = ['a', 'b', 'c', 'd'];

/** Answers after which the same request succeeds. */
const TEMPORARY: Readonly<Record<string, Answer>> = {
  'status 429': { status: 429, body: { error: 'Too Many Requests' } },
  'status 500': { status: 500, body: 'Internal Server Error' },
  'status 502 with a page': { status: 502, body: '<html>Bad Gateway</html>' },
  'status 503': { status: 503 },
  'a body that is cut off': { body: { data: { lifelogs: [] } }, isCut: true },
  'half a JSON text': { body: '{"data": {"lifelogs": [' },
  'a page instead of JSON': { body: '<html>Please wait</html>' },
  'bytes that are not UTF-8': { body: Buffer.from('"\xff"', 'latin1') },
  'an empty body': {},
};

describe('A temporary failure', () => {
  for (const [name, answer] of Object.entries(TEMPORARY))
    it(`is retried: ${name}`, async (t) => {
      const { product } = await createLimitless(t);
      product.faults.set(1, answer).set(3, answer);
      assert.deepEqual(idsOf(await readPages(limitless, product.url)), ALL);
      assert.equal(product.requests.length, 4);
    });

  it('is retried after the time that the product asks for, in seconds or as a date of its own clock', async (t) => {
    const { product } = await createLimitless(t);
    const wrongClock = Date.parse('2019-03-01T12:00:00Z');
    const http = (ms: number) => new Date(ms).toUTCString();
    product.faults.set(1, { status: 429, headers: { 'retry-after': '1' } });
    const date = { date: http(wrongClock), 'retry-after': http(wrongClock + 1000) };
    product.faults.set(2, { status: 503, headers: date });
    const waits: number[] = [];
    const onWait = (ms: number) => void waits.push(ms);
    await readPages(limitless, product.url, { target: { onWait } });
    assert.deepEqual(waits, [1000, 1000]);
  });

  it('is retried with growing waits, part of them random, and not without end', async (t) => {
    const product = await createProduct(t, () => ({ status: 500 }));
    const waits: number[] = [];
    const onWait = (ms: number) => void waits.push(ms);
    await assert.rejects(
      readPages(limitless, product.url, { target: { onWait, firstDelayMs: 4 } }),
      /^SourceFailure: limitless \(http:\S+\/v1\/lifelogs\) answered with status 500, 6 times; run it again later\.$/,
    );
    assert.equal(product.requests.length, 6);
    for (const [i, wait] of waits.entries()) {
      const longest = 4 * 2 ** i;
      assert.ok(wait > longest / 2 - 0.001 && wait <= longest, `${i}: ${wait}`);
    }
  });

  it('is a timeout, too', async (t) => {
    const { product } = await createLimitless(t);
    product.faults.set(1, () => {});
    const pages = await readPages(limitless, product.url, { target: { timeoutMs: 300 } });
    assert.deepEqual(idsOf(pages), ALL);
  });
});

/** Answers that no retry changes, with what a person reads. */
const FINAL: Readonly<Record<string, readonly [Answer, ProblemKind, RegExp]>> = {
  'a key that is wrong or has expired': [
    { status: 401, body: { error: `key ${SECRET} has expired` } },
    'credential',
    /^limitless refuses the credential \(401\); put a valid one into LIMITLESS_API_KEY or the file of --credential-file\.$/,
  ],
  'a key that may not read': [{ status: 403 }, 'credential', /\(403\)/],
  'a request that it does not know': [
    { status: 400 },
    'response',
    /answered with status 400; check --url\.$/,
  ],
  'a wait of an hour': [
    { status: 429, headers: { 'retry-after': '3600' } },
    'busy',
    /asks to wait 60 minutes \(429\); run it again then\.$/,
  ],
  'another document': [
    { body: { data: { lifelogs: 'none' } } },
    'response',
    /^A response from limitless is not as documented \(data\.lifelogs\); check --url, or update Memory Gateway\.$/,
  ],
  'more than 64 MiB': [
    { body: `"${'x'.repeat(64 * 1024 * 1024)}"` },
    'response',
    /is larger than 64 MiB, so it was not read\.$/,
  ],
  'a redirect that leaves the web': [
    { status: 302, headers: { location: 'file:///etc/passwd' } },
    'response',
    /^limitless redirects to an invalid address, which does not get the credential/,
  ],
  'a redirect without end': [
    { status: 302, headers: { location: '/v1/lifelogs?again' } },
    'response',
    /redirects more than 5 times/,
  ],
};

describe('A failure that no retry changes', () => {
  for (const [name, [answer, kind, says]] of Object.entries(FINAL))
    it(`is told at once: ${name}`, async (t) => {
      const product = await createProduct(t, () => answer);
      await assert.rejects(readPages(limitless, product.url), (error) => {
        assert.ok(error instanceof SourceFailure);
        assert.equal(error.kind, kind);
        assert.match(error.message, says);
        assert.ok(!error.message.includes(SECRET));
        return true;
      });
      assert.ok(product.requests.length <= 6);
    });

  it('is an address that already has the start of the path', async (t) => {
    const product = await createProduct(t, () => ({ status: 404 }));
    await assert.rejects(readPages(limitless, `${product.url}/v1`), {
      message:
        /\/v1\/v1\/lifelogs\) answered with status 404; check --url, and leave out \/v1 at its end\.$/,
    });
  });

  it('is a list that gives the same page again and again', async (t) => {
    const page = { data: { lifelogs: [] }, meta: { lifelogs: { nextCursor: 'x' } } };
    const product = await createProduct(t, () => ({ body: page }));
    await assert.rejects(readPages(limitless, product.url), /gives the same page again and again/);
  });
});

describe('The credential', () => {
  it('follows a redirect within its origin', async (t) => {
    const { product } = await createLimitless(t);
    product.faults.set(1, { status: 307, headers: { location: '/v1/lifelogs?direction=asc' } });
    assert.deepEqual(idsOf(await readPages(limitless, product.url)), ALL);
    assert.equal(product.requests[1]?.headers['x-api-key'], SECRET);
  });

  it('follows a 303 by a GET without a body', async (t) => {
    const product = await createProduct(t, () => ({ body: { data: { transcripts: [] } } }));
    product.faults.set(1, { status: 303, headers: { location: '/elsewhere' } });
    await readPages(fireflies, product.url);
    assert.deepEqual(
      product.requests.map(({ method, path, body }) => [method, path, body === undefined]),
      [
        ['POST', '/graphql', false],
        ['GET', '/elsewhere', true],
      ],
    );
  });

  it('never goes to another origin, which gets no request', async (t) => {
    const other = await createProduct(t, () => ({ body: {} }));
    const { product } = await createLimitless(t);
    product.faults.set(1, { status: 302, headers: { location: `${other.url}/v1/lifelogs` } });
    await assert.rejects(
      readPages(limitless, product.url),
      /limitless redirects to http:\S+, which does not get the credential; if that is the right/,
    );
    assert.equal(other.requests.length, 0);
  });
});

describe('What is new', () => {
  it('is not hidden by an item from the future, which a device with a wrong clock made', async (t) => {
    const { product, lifelogs } = await createLimitless(t);
    lifelogs.push(lifelog('odd', '2099-01-01T00:00:00Z'));
    const pages = await readPages(limitless, product.url);
    const { since = 0 } = pages.at(-1)?.state ?? {};
    assert.ok(Math.abs(since - Date.now()) < 60_000, new Date(since).toISOString());
  });

  it('is whole if items are added, changed and deleted between pages', async (t) => {
    const { product, lifelogs } = await createLimitless(t);
    product.before.set(2, () => {
      lifelogs.splice(1, 1, lifelog('b', '2026-11-10T09:00:00Z', 'Changed'));
      lifelogs.shift();
      lifelogs.push(lifelog('e', '2026-11-12T10:00:00Z'));
    });
    const first = await readPages(limitless, product.url);
    assert.deepEqual(idsOf(first), ['a', 'b', 'c', 'd', 'e']);
    const state = first.at(-1)?.state ?? {};
    const second = await readPages(limitless, product.url, { state });
    assert.deepEqual(idsOf(second), ['b', 'c', 'd', 'e']);
    assert.match(second[0]?.items[0]?.text ?? '', /Changed/);
  });
});
