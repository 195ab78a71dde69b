// The gateway source: the same memories, byte for byte, deletions included, also after a restore of the other gateway.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { PulledPage } from '../../src/sources/page.ts';
import { gateway } from '../../src/sources/products/gateway.ts';
import { engine } from '../support/engines/engine.ts';
import { idsOf, memoriesOf, pull, readPages } from '../support/sources/pulls.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const ODD = memory({ id: '~odd.-', name: 'a\0b 😀', transcript: 'Mira: \u2028 牛乳 \ufeff' });

/** Returns where the next run continues. */
const stateAfter = (pages: readonly PulledPage[]) => pages.at(-1)?.state ?? {};

/** Two gateways: `there` has memories of ana, and `here` has an account for them. */
async function createPair(t: TestContext, count = 5, id = 'ana') {
  const [there, here] = [await createWorld(t), await createWorld(t)];
  const key = there.addAccount(id, [...memories(count), ODD]);
  here.addAccount('ana');
  const source = { name: 'gateway', url: there.url, secret: key };
  return { there, here, source };
}

describe('The gateway source', () => {
  it('makes the account the same, byte for byte, in pages', async (t) => {
    const { there, here, source } = await createPair(t, 120);
    const { code, stdout } = await pull(here, source);
    assert.deepEqual([code, /: 121 memories added/.test(stdout)], [0, true], stdout);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
  });

  it('brings half a surrogate pair as U+FFFD, which every program can read', async (t) => {
    const { there, here, source } = await createPair(t, 1);
    there.writer.memories.put('ana', memory({ id: 'half', transcript: 'Mira: a\ud83d b' }));
    await pull(here, source);
    const text = (await memoriesOf(here)).get('half') ?? '';
    assert.equal(JSON.parse(text).transcript, 'Mira: a\ufffd b');
  });

  it('fails with a key that reads no transcripts, and brings everything with the right key afterwards', async (t) => {
    const { there, here, source } = await createPair(t);
    const scope = { reads: 'summaries', started_after: null, started_before: null } as const;
    const { key: secret } = there.addKey('ana', null, scope);
    const { code, stderr } = await pull(here, { ...source, secret });
    assert.equal(code, 1);
    assert.match(stderr, /refuses the credential \(403\); use an active key that reads everything/);
    assert.match((await pull(here, source)).stdout, /: 6 memories added/);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
  });

  it('asks in each run for what the other gateway could not give, until it can', async (t) => {
    const { there, source } = await createPair(t, 3);
    const target = { secret: source.secret };
    const write = (id: string, sha256: string) =>
      engine.edit(
        there.database,
        `UPDATE memories SET body_sha256 = '${sha256}' WHERE id = '${id}'`,
      );
    const before = await readPages(gateway, there.url, { target });
    there.writer.memories.put('ana', memory({ id: 'm001', name: 'Changed' }));
    const [row] = engine.edit(there.database, "SELECT body_sha256 FROM memories WHERE id = 'm001'");
    write('m001', '0'.repeat(64));
    let state = stateAfter(before);
    for (const _ of [1, 2]) {
      const pages = await readPages(gateway, there.url, { target, state });
      const failed = pages.flatMap((page) => page.failed);
      assert.deepEqual(
        failed.map(({ id }) => id),
        ['m001'],
      );
      assert.match(failed[0]?.reason ?? '', /status 500, 6 times; the next run requests it again$/);
      state = stateAfter(pages);
    }
    there.writer.memories.put('ana', memory({ id: 'other' }));
    const damaged = await readPages(gateway, there.url, { target, state });
    assert.deepEqual(idsOf(damaged), ['other']);
    write('m001', String(row?.['body_sha256']));
    const pages = await readPages(gateway, there.url, { target, state: stateAfter(damaged) });
    assert.deepEqual(idsOf(pages), ['m001']);
    assert.deepEqual(Object.keys(stateAfter(pages)), ['cursor']);
  });

  it('then brings what is new and changed, and deletes what was deleted', async (t) => {
    const { there, here, source } = await createPair(t);
    await pull(here, source);
    there.writer.memories.put('ana', memory({ id: 'new' }));
    there.writer.memories.put('ana', memory({ id: 'm001', name: 'Changed' }));
    there.writer.memories.delete('ana', 'm002');
    const { stdout } = await pull(here, source);
    assert.match(stdout, /: 1 memory added, 1 updated, 0 unchanged, 1 deleted, 0 rejected\./);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
    assert.match((await pull(here, source)).stdout, /: 0 memories added, 0 updated, 0 unchanged/);
  });

  it('never deletes what it did not add', async (t) => {
    const { there, here, source } = await createPair(t);
    here.writer.memories.putAll('ana', [memory({ id: 'own' }), memory({ id: 'm000' })]);
    await pull(here, source);
    for (const id of ['m000', 'm001']) there.writer.memories.delete('ana', id);
    const { stdout } = await pull(here, source);
    assert.match(stdout, / 1 deleted/);
    const ids = [...(await memoriesOf(here)).keys()].toSorted();
    assert.deepEqual(ids, ['m000', 'm002', 'm003', 'm004', 'own', '~odd.-']);
  });

  it('never deletes a memory that was deleted here and then imported from elsewhere', async (t) => {
    const { there, here, source } = await createPair(t);
    await pull(here, source);
    const on = ['--account', 'ana', '--database', here.database];
    await run(['memories', 'delete', 'm001', '--yes', ...on]);
    const input = JSON.stringify(memory({ id: 'm001', name: 'My own' }));
    await run(['import', '-', ...on], { input });
    there.writer.memories.delete('ana', 'm001');
    assert.match((await pull(here, source)).stdout, / 0 deleted/);
    assert.match((await memoriesOf(here)).get('m001') ?? '', /My own/);
  });

  it('reads the feed again after a restore there, and deletes what the restore removed', async (t) => {
    const { there, here, source } = await createPair(t);
    await pull(here, source);
    there.writer.memories.putAll('ana', [memory({ id: 'later' }), memory({ id: 'last' })]);
    await pull(here, source);
    // As a restore does it: later rows are gone, and what is written then has another epoch.
    engine.edit(
      there.database,
      `DELETE FROM memories WHERE id IN ('later', 'last');
       DELETE FROM changes WHERE memory_id IN ('later', 'last');
       DELETE FROM change_epochs WHERE first_seq > (SELECT max(seq) FROM changes);
       UPDATE change_epochs SET epoch = substr(epoch, 2) || substr(epoch, 1, 1)`,
    );
    there.writer.memories.put('ana', memory({ id: 'after' }));
    const { stdout } = await pull(here, source);
    assert.match(stdout, /: 1 memory added, 0 updated, 6 unchanged, 2 deleted/);
    assert.deepEqual(await memoriesOf(here), await memoriesOf(there));
  });

  it('differs in user_id alone if the accounts have other names', async (t) => {
    const { there, here, source } = await createPair(t, 2, 'mira');
    await pull(here, source);
    const theirs = await there.gateway.as('mira').memories.list({ order: 'asc' });
    const expected = theirs.map((each) => JSON.stringify({ ...each, user_id: 'ana' }));
    assert.deepEqual([...(await memoriesOf(here)).values()], expected);
  });
});
