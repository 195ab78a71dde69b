// A first pull of thousands of recordings from every product, which is interrupted again and again, and by a real kill.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { omi } from '../../src/sources/products/omi.ts';
import { pullInterrupted } from '../support/sources/interrupted-pull.ts';
import { meetingApis } from '../support/sources/meeting-apis.ts';
import { personalApis } from '../support/sources/personal-apis.ts';
import { recording, serveApi, type ProductApi } from '../support/sources/product-api.ts';
import { memoriesOf, pull, startPull, targetOf } from '../support/sources/pulls.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld } from '../support/world/world.ts';

const COUNT = sized(5000, 1000);

/** Makes recordings of the past years, oldest first. */
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...recording(i + 1 - count), id: `${i + 1}` }));

/**
 * How many requests a run has: as many as Omi allows an hour. Lists that begin anew need more, and so do details, of
 * which there are as many as recordings.
 */
function allowed({ source, hasDetails = false }: ProductApi, run: number): number {
  if (hasDetails) return (COUNT / 50) * (source.takesUntil === true ? 6 : 12 + 2 * run);
  return source.takesUntil === true ? 25 + (run % 3) : 40 + 20 * run;
}

/** The same product with 100 pages. */
const large = (api: ProductApi): ProductApi => ({ ...api, size: COUNT / 100 });

describe(`A first pull of ${COUNT} recordings`, () => {
  for (const api of [...personalApis, ...meetingApis])
    it(`of ${api.source.name} ends, although each run is interrupted and recordings are deleted meanwhile`, async (t) => {
      const recordings = many(COUNT);
      const product = await serveApi(t, large(api), recordings);
      const left = new Set(recordings.map(({ id }) => id));
      for (let request = 10; request < 20_000; request += 50)
        product.before.set(request, () => {
          const gone = recordings.length > COUNT - 100 ? recordings.pop() : undefined;
          if (gone !== undefined) left.delete(gone.id);
        });
      const target = targetOf(api.source, product.url);
      const requests = (run: number) => allowed(api, run);
      const { ids, runs } = await pullInterrupted({ target, product, requests, most: 60 });
      assert.ok(runs > 1);
      assert.deepEqual(left.difference(new Set(ids)), new Set());
    });

  it('continues after a kill where it was', async (t) => {
    const api = personalApis.find(({ source }) => source === omi);
    assert.ok(api);
    const world = await createWorld(t);
    world.addAccount('ana');
    const product = await serveApi(t, { ...api, size: 50 }, many(500));
    const source = { name: 'omi', url: product.url };
    const child = startPull(world, source);
    child.stdout.resume();
    child.stderr.resume();
    product.faults.set(6, () => child.kill('SIGKILL'));
    await once(child, 'close');
    const { size } = await memoriesOf(world);
    assert.ok(size >= 200 && size < 500, `${size}`);
    product.faults.clear();
    product.requests.splice(0);
    assert.equal((await pull(world, source)).code, 0);
    assert.equal((await memoriesOf(world)).size, 500);
    const reached = recording(1 - size).at.getTime();
    const [first] = product.requests;
    assert.ok(Date.parse(first?.query.get('end_date') ?? '') <= reached + 1000);
  });
});
