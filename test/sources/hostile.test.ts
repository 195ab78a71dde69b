// Hostile products: what a source's API could send to stop a pull for ever, or to make it delete what still exists.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { SourceFailure } from '../../src/sources/failure.ts';
import { bee } from '../../src/sources/products/bee.ts';
import { limitless } from '../../src/sources/products/limitless.ts';
import { readState } from '../../src/sources/state.ts';
import { createProduct } from '../support/sources/fake-product.ts';
import { lifelog } from '../support/sources/lifelogs.ts';
import { idsOf, memoriesOf, pull, readPages } from '../support/sources/pulls.ts';
import { createWorld, memories } from '../support/world/world.ts';

describe('A hostile product', () => {
  it('cannot stop a pull by an id that no address can carry', async (t) => {
    const body = [
      { id: '\ud800', title: 'Odd' },
      { id: 'a', title: 'Walk' },
    ];
    const product = await createProduct(t, ({ path, query }) =>
      path === '/v1/conversations'
        ? { body: { conversations: query.get('cursor') === null ? body : [] } }
        : { body: { id: 'a' } },
    );
    assert.deepEqual(idsOf(await readPages(bee, product.url)), ['', 'a']);
  });

  for (const body of [[], null, 'sorry'])
    it(`cannot pass ${JSON.stringify(body)} off as a recording without words, which no run would ask for again`, async (t) => {
      const product = await createProduct(t, ({ path, query }) => {
        if (path === '/v1/conversations/a') return { body: JSON.stringify(body) };
        if (path !== '/v1/conversations') return { body: { id: 'b' } };
        const conversations = [
          { id: 'a', updated_at: '2026-11-18T09:00:00Z' },
          { id: 'b', updated_at: '2026-11-18T08:00:00Z' },
        ];
        return { body: { conversations: query.get('cursor') === null ? conversations : [] } };
      });
      const pages = await readPages(bee, product.url);
      assert.deepEqual(idsOf(pages), ['b']);
      const failed = pages.flatMap((page) => page.failed);
      assert.deepEqual(failed, [
        {
          id: 'a',
          reason:
            'A response from bee is not as documented; pull with --mirror later to request it again',
        },
      ]);
      assert.ok(pages.every(({ seen }) => !seen.has('a')));
    });

  it('that writes numbers as Python does is read as an import reads it', async (t) => {
    const body = JSON.stringify({
      data: { lifelogs: [{ ...lifelog('a', ''), score: 'N', odd: 'NaN' }] },
      meta: { lifelogs: {} },
    }).replace('"N"', 'NaN, "low": -Infinity');
    const product = await createProduct(t, () => ({ body }));
    assert.deepEqual(idsOf(await readPages(limitless, product.url)), ['a']);
  });

  it('cannot keep a pull busy for ever with pages that have nothing new', async (t) => {
    let number = 0;
    const product = await createProduct(t, () => ({
      body: { data: { lifelogs: [] }, meta: { lifelogs: { nextCursor: `${number++}` } } },
    }));
    await assert.rejects(readPages(limitless, product.url), (error) => {
      assert.ok(error instanceof SourceFailure);
      return /gives page after page without anything new/.test(error.message);
    });
  });

  it('cannot make the state unreadable by a time of a fraction of a millisecond', async (t) => {
    const product = await createProduct(t, () => ({
      body: {
        data: { lifelogs: [{ ...lifelog('a', ''), startTime: 1763400000.12345 }] },
        meta: { lifelogs: {} },
      },
    }));
    const state = (await readPages(limitless, product.url)).at(-1)?.state ?? {};
    assert.deepEqual(readState(JSON.stringify(state)), state);
    assert.ok(state.since !== undefined);
  });

  for (const time of [-8.64e15, 8.64e15, -62167219200, 1e300])
    it(`cannot stop the next pull by the time ${time}`, async (t) => {
      const product = await createProduct(t, () => ({
        body: {
          data: { lifelogs: [{ ...lifelog('a', ''), startTime: time }] },
          meta: { lifelogs: {} },
        },
      }));
      const state = (await readPages(limitless, product.url)).at(-1)?.state ?? {};
      const again = readState(JSON.stringify(state));
      assert.deepEqual(idsOf(await readPages(limitless, product.url, { state: again })), ['a']);
    });
});

/** A pull of five memories from a gateway that then answers otherwise. */
async function createFollower(t: TestContext) {
  const [there, here] = [await createWorld(t), await createWorld(t)];
  const key = there.addAccount('ana', memories(5));
  here.addAccount('ana');
  const name = 'gateway';
  let isLost = false;
  let feed: readonly string[] = [];
  const product = await createProduct(t, async ({ path, query, headers }) => {
    const isFeed = path === '/v1/changes';
    if (isLost && isFeed) {
      if (query.get('since') === 'begun') return { body: [], headers: { link } };
      if (query.get('since') !== null) return { status: 410, body: { detail: 'Start again.' } };
      const changed_at = '2026-11-18T00:00:00.000Z';
      const body = feed.map((memory_id) => ({ memory_id, change: 'upsert', changed_at }));
      return { body, headers: { link } };
    }
    const url = new URL(path, there.url);
    for (const [each, value] of query) url.searchParams.set(each, value);
    const { authorization = '' } = headers;
    const answer = await fetch(url, { headers: { authorization } });
    const next = answer.headers.get('link');
    return {
      status: answer.status,
      body: await answer.text(),
      headers: next === null ? {} : { link: next },
    };
  });
  const source = { name, url: product.url, secret: key };
  await pull(here, source);
  assert.equal((await memoriesOf(here)).size, 5);
  return {
    there,
    here,
    source,
    loseFeed: (ids: readonly string[]) => {
      isLost = true;
      feed = ids;
    },
  };
}

const link = '</v1/changes?since=begun&limit=50>; rel="next"';

describe('A gateway whose feed starts again', () => {
  it('with nothing in it deletes nothing here', async (t) => {
    const { here, source, loseFeed } = await createFollower(t);
    loseFeed([]);
    const { code, stderr } = await pull(here, source);
    assert.equal((await memoriesOf(here)).size, 5);
    assert.deepEqual(
      [code, /lists nothing at all, so nothing was deleted/.test(stderr)],
      [1, true],
    );
  });

  it('without memories that it still has deletes only those that it does not have', async (t) => {
    const { there, here, source, loseFeed } = await createFollower(t);
    there.writer.memories.delete('ana', 'm004');
    loseFeed(['m000', 'm001']);
    const { stdout } = await pull(here, source);
    assert.match(stdout, / 1 deleted/);
    const ids = [...(await memoriesOf(here)).keys()].toSorted();
    assert.deepEqual(ids, ['m000', 'm001', 'm002', 'm003']);
  });
});
