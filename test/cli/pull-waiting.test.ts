// A pull from a product that allows few requests an hour: what each run says, and where the next one continues.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { omi } from '../../src/sources/products/omi.ts';
import { personalApis } from '../support/sources/personal-apis.ts';
import { recording, serveApi } from '../support/sources/product-api.ts';
import { memoriesOf, pull } from '../support/sources/pulls.ts';
import { run } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const HOUR_MS = 3_600_000;

/** An Omi with recordings of twelve days, which answers only so many requests of each run. */
async function createOmi(t: TestContext) {
  const api = personalApis.find(({ source }) => source === omi);
  assert.ok(api);
  const world = await createWorld(t);
  world.addAccount('ana');
  const recordings = Array.from({ length: 48 }, (_, i) => recording(i + 1));
  const product = await serveApi(t, api, recordings);
  const allow = (requests: number, headers = {}) => {
    product.faults.clear();
    product.faults.set(product.requests.length + requests + 1, { status: 429, headers });
  };
  return { world, product, allow, source: { name: 'omi', url: product.url } };
}

describe('A pull from a product that asks to wait', () => {
  it('says how far back it has come and when it continues, and its exit code is 75', async (t) => {
    const { world, allow, source, product } = await createOmi(t);
    allow(5, { 'retry-after': '3600' });
    const before = Date.now();
    const { code, stdout } = await pull(world, source, '--json');
    assert.equal(code, 75);
    const told = JSON.parse(stdout) as Readonly<Record<string, string | number>>;
    assert.deepEqual([told['result'], told['added']], ['waiting', 6]);
    assert.equal(told['back_to'], recording(43).at.toISOString());
    const wait = Date.parse(String(told['continues_at'])) - before;
    assert.ok(wait >= HOUR_MS && wait < HOUR_MS + 600_000, `${wait}`);
    const { stdout: list } = await run(['sources', 'list', '--json', '--database', world.database]);
    assert.equal((JSON.parse(list) as { result: string }[])[0]?.result, 'interrupted');

    allow(1000);
    const { length } = product.requests;
    const next = await pull(world, source);
    assert.deepEqual([next.code, (await memoriesOf(world)).size], [0, 48]);
    const [first] = product.requests.slice(length);
    assert.ok(Date.parse(first?.query.get('end_date') ?? '') <= recording(43).at.getTime() + 1000);
  });

  it('does not send the request again and again, if the product does not say for how long', async (t) => {
    const { world, allow, source, product } = await createOmi(t);
    allow(3);
    const { code, stdout, stderr } = await pull(world, source);
    assert.deepEqual([code, product.requests.length], [75, 4]);
    assert.match(stdout, /: 4 memories added, /);
    assert.match(
      stderr,
      /^omi \(\S+\) asks to wait 60 minutes \(429\); run it again then\. It was read back to November 2026\. The next run continues at 20\d\d-\d\d-\d\d \d\d:\d\dZ or later\.\n$/,
    );
  });
});

describe('pull --until', () => {
  it('imports what is older, and leaves the position where it was', async (t) => {
    const { world, source } = await createOmi(t);
    const day = (n: number) => recording(n).at.toISOString();
    assert.match((await pull(world, source, '--since', day(40))).stdout, /: 9 memories added/);
    const { stdout } = await pull(world, source, '--until', day(40), '--since', day(30));
    assert.match(stdout, /: 10 memories added, 0 updated, 0 unchanged/);
    assert.match((await pull(world, source, '--until', day(30))).stdout, /: 29 memories added/);
    assert.match((await pull(world, source)).stdout, /: 0 memories added/);
  });
});
