// What every source promises with its product's API: the tests that run for each of them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { lookBackMs } from '../../../src/sources/state.ts';
import { createWorld } from '../world/world.ts';
import { pullInterrupted } from './interrupted-pull.ts';
import { recording, serveApi, type ProductApi, type Recording } from './product-api.ts';
import { idsOf, memoriesOf, pull, readPages, targetOf } from './pulls.ts';

/** The counts that `pull --json` prints. */
interface Counts {
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: number;
}

async function createAna(t: TestContext, api: ProductApi) {
  const { source, count = 5 } = api;
  const recordings: Recording[] = Array.from({ length: count }, (_, i) => recording(i + 1));
  const product = await serveApi(t, api, recordings);
  const world = await createWorld(t);
  world.addAccount('ana');
  const from = {
    name: source.name,
    url: product.url,
    variable: source.credential?.variable ?? 'NO_CREDENTIAL',
  };
  const pullOnce = async (...args: string[]) => {
    const { code, stdout, stderr } = await pull(world, from, '--json', ...args);
    assert.equal(stderr, '');
    const { added, updated, deleted, rejected } = JSON.parse(stdout) as Counts;
    return { code, added, updated, deleted, rejected };
  };
  return { recordings, product, world, pullOnce };
}

/** Tests a source against its product's API. */
export function testSource(api: ProductApi): void {
  const { source, count = 5, hasDetails = false, sinceOf, marginMs = 0 } = api;
  describe(`The ${source.name} source`, () => {
    it('imports all pages, then what is new or has changed, and with --mirror=delete deletes the rest', async (t) => {
      const { recordings, pullOnce, world } = await createAna(t, api);
      const none = { code: 0, added: 0, updated: 0, deleted: 0, rejected: 0 };
      assert.deepEqual(await pullOnce(), { ...none, added: count });
      const last = recording(count);
      recordings.push(recording(count + 1));
      recordings[count - 1] = {
        ...last,
        title: 'Another title',
        changed: new Date(last.changed.getTime() + 60_000),
      };
      assert.deepEqual(await pullOnce(), { ...none, added: 1, updated: 1 });
      const all = [...(await memoriesOf(world)).values()];
      assert.equal(all.length, count + 1);
      for (const title of ['Walk 2', 'Another title', `Walk ${count + 1}`])
        assert.ok(
          all.some((each) => each.includes(title)),
          title,
        );
      recordings.splice(0, 1);
      assert.deepEqual(await pullOnce('--mirror'), none, 'it is reported');
      assert.equal((await memoriesOf(world)).size, count + 1);
      assert.deepEqual(await pullOnce('--mirror=delete'), { ...none, deleted: 1 });
    });

    it('sends a request again after a 429', async (t) => {
      const { product } = await createAna(t, api);
      await readPages(source, product.url);
      const { length } = product.requests;
      const busy = { status: 429, headers: { 'retry-after': '0' }, body: { error: 'busy' } };
      product.faults.set(length + 1, busy).set(length + 3, busy);
      await readPages(source, product.url);
      assert.equal(product.requests.length, 2 * length + 2);
    });

    if (source.credential !== undefined)
      it('says that a credential is refused', async (t) => {
        const { product } = await createAna(t, api);
        const target = { secret: 'wrong' };
        await assert.rejects(readPages(source, product.url, { target }), { kind: 'credential' });
        assert.equal(product.requests.length, 1);
      });

    if (sinceOf !== undefined)
      it('asks only for what its product may have changed', async (t) => {
        const { product } = await createAna(t, api);
        const newest = recording(count).at.getTime();
        await readPages(source, product.url, { state: { since: newest } });
        const [first] = product.requests;
        assert.equal(first && sinceOf(first), newest - lookBackMs(source) - marginMs);
      });

    if (source.isByPosition === true)
      it('loses nothing if recordings are deleted between two pages, and looks again if it may have', async (t) => {
        for (const deletions of [1, 2])
          for (let request = 2; ; request++) {
            const { recordings, product } = await createAna(t, api);
            product.before.set(request, () => recordings.splice(-deletions));
            const pages = await readPages(source, product.url);
            if (product.requests.length < request) break;
            const left = new Set(recordings.map(({ id }) => id));
            assert.deepEqual(left.difference(new Set(idsOf(pages))), new Set(), `${request}`);
            assert.notEqual(pages.at(-1)?.state.since, undefined, 'the list was read to its end');
          }
      });

    it('reads everything at first, however often it is interrupted, and although recordings are deleted meanwhile', async (t) => {
      for (const deletions of [0, 1]) {
        const { recordings, product } = await createAna(t, { ...api, count: 4 * count });
        const all = new Set(recordings.map(({ id }) => id));
        // Enough for a page with its details, and for a list that a run must read again from its beginning.
        const requests = (run: number) =>
          (hasDetails ? 7 : 3) + (source.takesUntil === true ? run % 3 : 2 * run);
        if (deletions > 0)
          for (let each = 5; each < 200; each += 5)
            product.before.set(each, () => {
              // The newest ones were read before.
              const [gone] = recordings.length > 2 * count ? recordings.splice(-deletions) : [];
              if (gone !== undefined) all.delete(gone.id);
            });
        const target = targetOf(source, product.url);
        const { ids, runs, state } = await pullInterrupted({ target, product, requests, most: 40 });
        assert.ok(runs > 1, `${runs}`);
        assert.deepEqual(all.difference(new Set(ids)), new Set());
        assert.ok(state.since !== undefined && state.tail === undefined);
        assert.ok(ids.length <= 3 * 4 * count, `nothing is read again and again: ${ids.length}`);
      }
    });

    if (hasDetails)
      it('leaves an item out until its transcript is there', async (t) => {
        const { recordings, product } = await createAna(t, api);
        recordings[1] = recording(2, { isPending: true });
        const first = await readPages(source, product.url);
        assert.deepEqual(idsOf(first).toSorted(), ['1', '3', '4', '5']);
        recordings[1] = recording(2);
        const seen = Object.fromEntries(first.at(-1)?.seen ?? []);
        const second = await readPages(source, product.url, { state: { seen } });
        assert.ok(idsOf(second).includes('2'));
        if (source.versionOf !== undefined) assert.deepEqual(idsOf(second), ['2']);
      });
  });
}
