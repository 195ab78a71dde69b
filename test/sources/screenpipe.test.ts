// The screenpipe source: conversations stay whole, wherever pages end and wherever a run begins.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { screenpipe } from '../../src/sources/products/screenpipe.ts';
import { createProduct } from '../support/sources/fake-product.ts';
import { memoriesOf, pull, pullArgs, readPages } from '../support/sources/pulls.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const START = Date.parse('2026-11-18T09:00:00Z');
const MINUTE = 60_000;

/** Pieces at these minutes, oldest first. The ids count from 1. */
type Minutes = readonly number[];

/** The search API: newest first, at most `limit` pieces. `minutes` may grow while the test runs. */
async function createScreenpipe(t: TestContext, minutes: Minutes, limit: number) {
  const product = await createProduct(t, ({ query }) => {
    const from = Date.parse(query.get('start_time') ?? '1970-01-01');
    const to = Date.parse(query.get('end_time') ?? '9999-01-01');
    const data = minutes
      .map((minute, i) => ({ id: i + 1, at: START + minute * MINUTE }))
      .filter(({ at }) => at >= from && at <= to)
      .toReversed()
      .slice(0, limit)
      .map(({ id, at }) => ({
        type: 'Audio',
        content: {
          chunk_id: id,
          timestamp: new Date(at).toISOString(),
          transcription: `Piece ${id}.`,
        },
      }));
    return { body: { data, pagination: { limit, offset: 0, total: minutes.length } } };
  });
  const source = { name: 'screenpipe', url: product.url, variable: 'SCREENPIPE_API_KEY' };
  return { product, source };
}

/** The pieces of each file of each page, by their ids. */
async function filesOf(url: string, since?: number): Promise<number[][]> {
  const pages = await readPages(screenpipe, url, { ...(since !== undefined && { since }) });
  return pages
    .flatMap(({ items }) => items)
    .map(({ text }) => {
      const items = JSON.parse(text) as { content: { chunk_id: number } }[];
      return items.map(({ content }) => content.chunk_id);
    });
}

describe('The screenpipe source', () => {
  it('is asked without a key if the credential file is empty', async (t) => {
    const { product, source } = await createScreenpipe(t, [0], 4);
    const world = await createWorld(t);
    world.addAccount('ana');
    const args = pullArgs(world, source, '--credential-file', '-');
    const { code, stdout } = await run(args, { input: '\n' });
    assert.equal(code, 0);
    assert.match(stdout, /: 1 memory added/);
    assert.ok(product.requests.every(({ headers }) => headers.authorization === undefined));
  });

  it('never ends a page within a conversation', async (t) => {
    // The conversations are 1 to 3, 4 and 5, and 6.
    const { product } = await createScreenpipe(t, [0, 2, 4, 20, 22, 40], 4);
    assert.deepEqual(await filesOf(product.url), [
      [4, 5, 6],
      [1, 2, 3],
    ]);
  });

  it('has each piece once, even if nobody is silent for a thousand pieces', async (t) => {
    const minutes = Array.from({ length: 1203 }, (_, i) => Math.floor(i / 3));
    const { product } = await createScreenpipe(t, minutes, 1000);
    const pieces = (await filesOf(product.url)).flat();
    assert.equal(pieces.length, 1203);
    assert.equal(new Set(pieces).size, 1203);
  });

  it('leaves a conversation out that began before the time that is asked for', async (t) => {
    const { product } = await createScreenpipe(t, [0, 2, 4, 20, 22, 40], 4);
    assert.deepEqual(await filesOf(product.url, START + 2 * MINUTE), [[4, 5, 6]]);
    assert.deepEqual(await filesOf(product.url, START), [
      [4, 5, 6],
      [1, 2, 3],
    ]);
  });

  it('updates a conversation that goes on, whose id stays', async (t) => {
    const minutes = [0, 2, 20];
    const { source } = await createScreenpipe(t, minutes, 1000);
    const world = await createWorld(t);
    world.addAccount('ana');
    await pull(world, source);
    minutes.push(22, 40);
    const { stdout } = await pull(world, source, '--json');
    const { added, updated } = JSON.parse(stdout) as Record<string, number>;
    assert.deepEqual([added, updated], [1, 1]);
    const all = await memoriesOf(world);
    assert.deepEqual([...all.keys()], ['screenpipe-1', 'screenpipe-3', 'screenpipe-5']);
    assert.match(all.get('screenpipe-3') ?? '', /Piece 3\..*Piece 4\./);
  });

  it('is tried without a credential, because its API may be open', async (t) => {
    const { product, source } = await createScreenpipe(t, [0], 1000);
    const world = await createWorld(t);
    world.addAccount('ana');
    const { database } = world;
    const { code, stderr } = await run(
      ['pull', source.name, '--account', 'ana', '--url', source.url, '--database', database],
      { env: {} },
    );
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(product.requests[0]?.headers.authorization, undefined);
  });
});
