// A kill of the program at every request of a pull: nothing is lost, and nothing is written twice.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createProduct } from '../support/sources/fake-product.ts';
import { pullWithKills, writesOf } from '../support/sources/kills.ts';
import { createLimitless, lifelog } from '../support/sources/lifelogs.ts';
import { meetingApis } from '../support/sources/meeting-apis.ts';
import { personalApis } from '../support/sources/personal-apis.ts';
import { recording, serveApi } from '../support/sources/product-api.ts';
import { memoriesOf } from '../support/sources/pulls.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

/** Passes requests on to a gateway, as a server that a test can make fail. */
function createRelay(t: TestContext, { url }: World) {
  return createProduct(t, async ({ path, query, headers }) => {
    const authorization = headers.authorization ?? '';
    const response = await fetch(`${url}${path}?${query.toString()}`, {
      headers: { authorization },
    });
    const link = response.headers.get('link');
    return {
      status: response.status,
      headers: link === null ? {} : { link },
      body: new Uint8Array(await response.arrayBuffer()),
    };
  });
}

/** The products whose pulls are killed. Each takes as many runs as it has requests. */
const PRODUCTS = [...personalApis, ...meetingApis].slice(0, sized(Infinity, 2));

describe('A pull that is killed at each request', () => {
  for (const api of PRODUCTS)
    it(`of ${api.source.name} loses nothing, also if a recording is deleted between two pages`, async (t) => {
      const world = await createWorld(t);
      world.addAccount('ana');
      const recordings = Array.from({ length: 6 }, (_, i) => recording(i));
      const product = await serveApi(t, api, recordings);
      const source = { name: api.source.name, url: product.url };
      const left = new Set(recordings.map(({ id }) => id));
      product.before.set(3, () => left.delete(recordings.pop()?.id ?? ''));
      assert.ok((await pullWithKills(world, product, source)) >= 1);
      const found = new Set(
        [...(await memoriesOf(world)).keys()].map((id) => id.replace(/^\D+/, '')),
      );
      assert.deepEqual(left.difference(found), new Set());
      const written = writesOf(world);
      await pullWithKills(world, product, source);
      assert.equal(writesOf(world), written, 'nothing is written twice');
    });

  it('of Limitless loses nothing and writes nothing twice', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const { product, source, lifelogs } = await createLimitless(t);
    for (let i = 0; i < 5; i++) lifelogs.push(lifelog(`more-${i}`, `2026-11-13T0${i}:00:00Z`));
    assert.ok((await pullWithKills(world, product, source)) >= 2);
    assert.equal((await memoriesOf(world)).size, 9);
    assert.equal(writesOf(world), 9);

    lifelogs[3] = lifelog('d', '2026-11-12T09:00:00Z', 'Changed');
    lifelogs.push(lifelog('new', '2026-11-14T09:00:00Z'));
    await pullWithKills(world, product, source);
    const all = await memoriesOf(world);
    assert.deepEqual([all.size, /"Changed"/.test(all.get('d') ?? '')], [10, true]);
    assert.equal(writesOf(world), 11);
  });

  it('of another gateway loses nothing and writes nothing twice, deletions included', async (t) => {
    const [there, here] = [await createWorld(t), await createWorld(t)];
    const secret = there.addAccount('ana', memories(8));
    here.addAccount('ana');
    const product = await createRelay(t, there);
    const source = { name: 'gateway', url: product.url, secret };
    assert.ok((await pullWithKills(here, product, source)) >= 8);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
    assert.equal(writesOf(here), 8);

    there.writer.memories.delete('ana', 'm003');
    there.writer.memories.put('ana', memory({ id: 'm004', name: 'Changed' }));
    there.writer.memories.put('ana', memory({ id: 'new' }));
    assert.ok((await pullWithKills(here, product, source)) >= 3);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
    assert.equal(writesOf(here), 11);
  });
});
