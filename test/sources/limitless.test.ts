// The Limitless source: pages, what is new, what has changed, and what was deleted.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { limitless } from '../../src/sources/products/limitless.ts';
import { createLimitless, lifelog } from '../support/sources/lifelogs.ts';
import { idsOf, memoriesOf, pull, readPages } from '../support/sources/pulls.ts';
import { createWorld, memory } from '../support/world/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  return { world, ...(await createLimitless(t)) };
}

describe('The Limitless source', () => {
  it('reads all pages, oldest first, with contents and Markdown', async (t) => {
    const { product } = await createAna(t);
    const pages = await readPages(limitless, product.url);
    assert.deepEqual(idsOf(pages), ['a', 'b', 'c', 'd']);
    assert.equal(pages.length, 2);
    const [first] = product.requests;
    assert.equal(first?.query.get('start'), null);
    assert.deepEqual(
      ['includeContents', 'includeMarkdown', 'limit', 'timezone'].map((n) => first?.query.get(n)),
      ['true', 'true', '10', 'UTC'],
    );
  });

  it('looks a week back for what has changed or came late', async (t) => {
    const { product } = await createAna(t);
    const state = { since: Date.parse('2026-11-12T09:00:00Z') };
    assert.deepEqual(idsOf(await readPages(limitless, product.url, { state })), ['b', 'c', 'd']);
    assert.equal(product.requests[0]?.query.get('start'), '2026-11-05 09:00:00');
  });

  it('imports lifelogs as their export is imported, and then only what is new', async (t) => {
    const { world, lifelogs, source } = await createAna(t);
    const first = await pull(world, source);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /: 4 memories added, 0 updated, 0 unchanged, 0 deleted, 0 rejected/);
    lifelogs.push(lifelog('e', '2026-11-13T09:00:00Z'));
    lifelogs[2] = lifelog('c', '2026-11-11T09:00:00+01:00', 'Another title');
    const { stdout } = await pull(world, source, '--json');
    const { added, updated, unchanged, deleted } = JSON.parse(stdout) as Record<string, number>;
    assert.deepEqual([added, updated, unchanged, deleted], [1, 1, 2, 0]);
    const all = await memoriesOf(world);
    assert.deepEqual([...all.keys()], ['a', 'b', 'c', 'd', 'e']);
    assert.match(all.get('c') ?? '', /"Another title".*"2026-11-11T08:00:00.000Z"/);
  });

  it('rejects an item that it cannot read, and imports the others', async (t) => {
    const { world, source, lifelogs } = await createAna(t);
    lifelogs[1] = { ...lifelog('b', '2026-11-10T09:00:00Z'), startTime: 'yesterday' };
    lifelogs.splice(1, 0, {
      ...lifelog('x', ''),
      startTime: '2026-11-10T08:00:00Z',
      endTime: '2026',
    });
    const { code, stdout } = await pull(world, source, '--json');
    const { added, rejected } = JSON.parse(stdout) as Record<string, number>;
    assert.deepEqual([code, added, rejected], [1, 3, 1]);
  });

  it('keeps what is deleted at Limitless, reports it with --mirror, and deletes it with --mirror=delete', async (t) => {
    const { world, lifelogs, source } = await createAna(t);
    await pull(world, source);
    lifelogs.shift();
    await pull(world, source);
    assert.equal((await memoriesOf(world)).size, 4);
    const reported = await pull(world, source, '--mirror');
    assert.match(reported.stdout, / 0 deleted/);
    assert.match(
      reported.stdout,
      /\n1 memory is no longer at the source: a\nTo delete it here, pull/,
    );
    assert.equal((await memoriesOf(world)).size, 4);
    const { stdout } = await pull(world, source, '--mirror=delete');
    assert.match(stdout, /1 deleted/);
    assert.doesNotMatch(stdout, /no longer/);
    assert.deepEqual([...(await memoriesOf(world)).keys()], ['b', 'c', 'd']);
  });
});

describe('--mirror', () => {
  it('adds what is missing here, and updates what has changed, however old it is', async (t) => {
    const { world, lifelogs, source } = await createAna(t);
    await pull(world, source);
    lifelogs.unshift(lifelog('late', '2026-10-01T09:00:00Z'));
    lifelogs[1] = lifelog('a', '2026-11-02T09:00:00Z', 'Another title');
    assert.match((await pull(world, source)).stdout, /: 0 memories added, 0 updated/);
    assert.match((await pull(world, source, '--mirror')).stdout, /: 1 memory added, 1 updated/);
  });

  it('leaves memories alone that the source did not add', async (t) => {
    const { world, lifelogs, source } = await createAna(t);
    world.writer.memories.putAll('ana', [memory({ id: 'own' }), memory({ id: 'a' })]);
    await pull(world, source);
    lifelogs.shift();
    await pull(world, source, '--mirror=delete');
    assert.deepEqual([...(await memoriesOf(world)).keys()].toSorted(), ['a', 'b', 'c', 'd', 'own']);
  });

  it('deletes nothing if the list breaks off, is empty, or left out what still exists', async (t) => {
    const { world, lifelogs, source, product } = await createAna(t);
    await pull(world, source);
    const fail = { status: 404, body: {} };
    product.faults.set(product.requests.length + 2, fail);
    assert.equal((await pull(world, source, '--mirror=delete')).code, 1);
    // The list has lost an item that is still there.
    const body = {
      data: { lifelogs: lifelogs.slice(1) },
      meta: { lifelogs: { nextCursor: null } },
    };
    product.faults.set(product.requests.length + 1, { body });
    assert.match((await pull(world, source, '--mirror=delete')).stdout, / 0 deleted/);
    lifelogs.splice(0);
    const { code, stderr } = await pull(world, source, '--mirror=delete');
    assert.equal(code, 1);
    assert.match(stderr, /limitless lists nothing at all, so nothing was deleted\./);
    assert.equal((await memoriesOf(world)).size, 4);
  });
});
