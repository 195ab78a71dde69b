// Deletions in the app: a process of its own deletes and restores, for the account of the session, and attacks on that.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { createLaterChanges, type LaterChangesOptions } from '../support/app/later-changes.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { run } from '../support/world/program.ts';
import { memory } from '../support/world/world.ts';

const AGENT = /^Firefox|^Chrom|browser/i;

/** A gateway whose app deletes, with three memories of ana and one of bo. */
async function createDeleting(t: TestContext, options?: LaterChangesOptions) {
  const { changes, said, open } = createLaterChanges(t, options);
  const world = await createAppWorld(t, { app: { changes, shares: true } });
  open(world.database);
  world.writer.memories.putAll(
    'ana',
    ['one', 'two', 'three'].map((id) => memory({ id, name: `Talk ${id}` })),
  );
  world.writer.memories.putAll('bo', [memory({ id: 'his' })]);
  const read = async (path: string) =>
    (await send(world.port, { path, key: world.keys.ana })).status;
  const count = (table: string) =>
    Number(engine.edit(world.database, `SELECT count(*) AS n FROM ${table}`)[0]?.['n']);
  return { ...world, said, read, count };
}

describe('A deletion in the app', () => {
  it('of the sample memories is known to every browser of the account, and so is their return', async (t) => {
    const { signIn, writer } = await createDeleting(t);
    const [one, other, his] = [await signIn('ana'), await signIn('ana'), await signIn('bo')];
    const has = async ({ get }: typeof one) => jsonOf(await get('/me'))['has_samples'];
    assert.equal(await has(other), false, 'no other memory is taken for one');
    const id = 'sample-2026-11-18-memo-milk';
    writer.memories.putAll('ana', [memory({ id }), memory({ id: 'sample-2027' })]);
    assert.deepEqual([await has(one), await has(other), await has(his)], [true, true, false]);
    await one.post('/deletions', { ids: [id] });
    assert.equal(await has(other), false);
    await one.post('/deletions/undo', { ids: [id] });
    assert.equal(await has(other), true);
  });

  it('is listed with the beginning of a long summary, cut between characters and with an ellipsis', async (t) => {
    const { signIn, writer } = await createDeleting(t);
    const quick_summary = `${'a'.repeat(199)}😀 and more`;
    const summary = { quick_summary, key_takeaways: [] };
    writer.memories.putAll('ana', [memory({ id: 'long', summary })]);
    const browser = await signIn('ana');
    const [deleted] = listOf(await browser.post('/deletions', { ids: ['long'] }));
    assert.equal(deleted?.['summary'], `${'a'.repeat(199)}…`);
  });

  it('goes to the bin, is seen by every client, and comes back by undo with the same etag', async (t) => {
    const { signIn, read, port, keys, count } = await createDeleting(t);
    const browser = await signIn('ana');
    const before = await send(port, { path: '/v1/memories/one', key: keys.ana });
    const link = { memory_id: 'one', when: 'Monday' };
    const secrets: string[] = [];
    for (const memory_id of ['one', 'one', 'three']) {
      const shared = await browser.post('/shares', { ...link, memory_id });
      assert.equal(shared.status, 200);
      secrets.push(String(jsonOf(shared)['secret']));
    }
    const opened = () =>
      Promise.all(secrets.map(async (each) => (await send(port, { path: `/s/${each}` })).status));
    const whichInBin = async () =>
      listOf(await browser.get('/shares'))
        .filter(({ in_bin }) => in_bin === true)
        .map(({ memory_id }) => memory_id);

    const deleted = await browser.post('/deletions', { ids: ['one', 'two', 'one'] });
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(new Set(listOf(deleted).map(({ id }) => id)), new Set(['one', 'two']));
    const { name, deleted_at, erased_at } = listOf(deleted).find(({ id }) => id === 'one') ?? {};
    assert.equal(name, 'Talk one');
    assert.equal(Date.parse(String(erased_at)) - Date.parse(String(deleted_at)), 30 * 86_400_000);
    assert.deepEqual(
      [await read('/v1/memories/one'), await read('/v1/memories/three')],
      [404, 200],
    );
    assert.equal((await browser.get('/memories/two')).status, 404);
    const inBin = listOf(await browser.get('/deletions'));
    const told = inBin.map((each) => ({ ...each, closed_links: each['id'] === 'one' ? 2 : 0 }));
    assert.deepEqual(told, listOf(deleted));
    const { transcript, summary } = JSON.parse(before.text) as Memory;
    assert.deepEqual(jsonOf(await browser.get('/deletions/one')), {
      summary: summary.quick_summary,
      transcript,
    });
    assert.equal((await browser.get('/deletions/three')).status, 404, 'it is not in the bin');
    assert.deepEqual(
      [await opened(), await whichInBin()],
      [
        [404, 404, 200],
        ['one', 'one'],
      ],
    );
    const other = await signIn('bo');
    assert.equal((await other.get('/deletions/one')).status, 404, 'it is of another account');

    assert.equal((await browser.post('/deletions/undo', { ids: ['one'] })).status, 204);
    const after = await send(port, { path: '/v1/memories/one', key: keys.ana });
    assert.deepEqual([after.text, after.headers['etag']], [before.text, before.headers['etag']]);
    assert.deepEqual([await opened(), await whichInBin()], [[200, 200, 200], []]);
    await browser.post('/deletions', { ids: ['three'] });
    assert.equal((await browser.delete('/deletions', {}, { ids: ['three'] })).status, 204);
    assert.equal(listOf(await browser.get('/shares')).length, 2, 'a share ends with its memory');
    assert.deepEqual(
      listOf(await browser.get('/deletions')).map(({ id }) => id),
      ['two'],
    );
    assert.equal((await browser.post('/deletions/undo', { ids: ['two'] })).status, 204);
    assert.equal(count('deleted_memories'), 0);
  });

  it('stands in the log of the account with the browser and the time', async (t) => {
    const { signIn } = await createDeleting(t);
    const browser = await signIn('ana');
    await browser.post('/deletions', { ids: ['one', 'two'] });
    await browser.post('/deletions/undo', { ids: ['one'] });
    await browser.delete('/deletions');
    const events = listOf(await browser.get('/events')).slice(0, 3);
    assert.deepEqual(
      events.map(({ kind, subject }) => [kind, subject]),
      [
        ['bin-emptied', '1'],
        ['memories-restored', '1'],
        ['memories-deleted', '2'],
      ],
    );
    for (const { agent } of events) assert.match(String(agent), AGENT);
  });

  it('is for good if the bin is off', async (t) => {
    const { signIn, count } = await createDeleting(t, { hasBin: false });
    const browser = await signIn('ana');
    assert.equal(jsonOf(await browser.get('/me'))['bin_days'], 0);
    const deleted = await browser.post('/deletions', { ids: ['one'] });
    assert.deepEqual([deleted.status, deleted.text], [200, '[]']);
    assert.equal(count('deleted_memories'), 0);
    assertFailure(await browser.post('/deletions/undo', { ids: ['one'] }), 404, '', NO_STORE);
  });

  it('erases those of the bin that are named, all or none', async (t) => {
    const { signIn, count } = await createDeleting(t);
    const browser = await signIn('ana');
    await browser.post('/deletions', { ids: ['one', 'two'] });
    const erase = (ids: readonly string[]) => browser.delete('/deletions', {}, { ids });
    assertFailure(await erase(['one', 'three']), 404, '', NO_STORE);
    assertFailure(await erase([]), 422, 'no ids are not all', NO_STORE);
    assert.equal(count('deleted_memories'), 2);
    assert.equal((await erase(['one'])).status, 204);
    assert.deepEqual(
      listOf(await browser.get('/deletions')).map(({ id }) => id),
      ['two'],
    );
    assertFailure(
      await browser.post('/deletions/undo', { ids: ['one'] }),
      404,
      'it is gone for good',
      NO_STORE,
    );
  });

  it('erases everything in the bin of this account, and of no other', async (t) => {
    const { signIn, count } = await createDeleting(t);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    await ana.post('/deletions', { ids: ['one', 'two'] });
    await bo.post('/deletions', { ids: ['his'] });
    assert.equal((await ana.delete('/deletions')).status, 204);
    assert.deepEqual(
      listOf(await bo.get('/deletions')).map(({ id }) => id),
      ['his'],
    );
    assert.equal(count('deleted_memories'), 1);
  });
});

describe('An attack on deletions', () => {
  it('with ids of another account, of nobody or of deleted memories changes nothing, and all get one 404', async (t) => {
    const { signIn, count, read } = await createDeleting(t);
    const browser = await signIn('ana');
    const other = await signIn('bo');
    await other.post('/deletions', { ids: ['his'] });
    await browser.post('/deletions', { ids: ['two'] });
    const details = new Set<string>();
    for (const ids of [['his'], ['nowhere'], ['one', 'his'], ['two']])
      details.add(
        assertFailure(await browser.post('/deletions', { ids }), 404, ids.join(), NO_STORE),
      );
    for (const id of ['his', 'nowhere', 'one'])
      details.add(
        assertFailure(await browser.post('/deletions/undo', { ids: [id] }), 404, id, NO_STORE),
      );
    details.add(
      assertFailure(
        await browser.post('/deletions/undo', { ids: ['two', 'his'] }),
        404,
        '',
        NO_STORE,
      ),
    );
    assert.equal(details.size, 2);
    assert.equal(await read('/v1/memories/one'), 200);
    assert.equal(count('deleted_memories'), 2);
  });

  it('with no ids, wrong ids or too many is refused before a process starts', async (t) => {
    const { signIn } = await createDeleting(t, { program: ['/nowhere'] });
    const browser = await signIn('ana');
    for (const body of [
      {},
      { ids: [] },
      { ids: 'one' },
      { ids: ['../x'] },
      { ids: ['one\ntwo'] },
      { ids: ['-'], all: true },
    ])
      assertFailure(await browser.post('/deletions', body), 422, JSON.stringify(body), NO_STORE);
    const ids = Array.from({ length: 10_000 }, (_, i) => `m${i}`);
    assertFailure(await browser.post('/deletions', { ids }), 413, '', NO_STORE);
  });

  it('that finds nothing to delete, restore or erase starts no process', async (t) => {
    const { signIn } = await createDeleting(t, { program: ['/nowhere'] });
    const browser = await signIn('ana');
    assertFailure(await browser.post('/deletions', { ids: ['his'] }), 404, '', NO_STORE);
    assertFailure(await browser.post('/deletions/undo', { ids: ['one'] }), 404, '', NO_STORE);
    assertFailure(await browser.post('/deletions/undo', { ids: ['one'] }), 404, '', NO_STORE);
    assert.equal((await browser.delete('/deletions')).status, 204, 'the bin is empty');
  });

  it('by two browsers at once deletes once, and the other gets a 404', async (t) => {
    const { signIn, count } = await createDeleting(t);
    const browsers = [await signIn('ana'), await signIn('ana')];
    const answers = await Promise.all(
      browsers.map((each) => each.post('/deletions', { ids: ['one'] })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 404],
    );
    assert.equal(count('deleted_memories'), 1);
  });

  it('after the 30 days brings nothing back, and the next cleanup erases it', async (t) => {
    const { signIn, database, count } = await createDeleting(t);
    const browser = await signIn('ana');
    await browser.post('/deletions', { ids: ['one'] });
    engine.edit(
      database,
      `UPDATE deleted_memories SET deleted_at = ${Date.now() - 30 * 86_400_000}`,
    );
    assert.deepEqual(listOf(await browser.get('/deletions')), []);
    assertFailure(await browser.post('/deletions/undo', { ids: ['one'] }), 404, '', NO_STORE);
    const { code, stdout } = await run(['bin', 'empty', '--expired', '--database', database]);
    assert.deepEqual([code, stdout], [0, '1 memory is erased.\n']);
    assert.equal(count('deleted_memories'), 0);
  });

  it('that kills the process leaves all or nothing, and a sentence without a path', async (t) => {
    const killer = ['/bin/sh', '-c', 'kill -9 $$', 'sh'];
    const { signIn, said, read, database } = await createDeleting(t, { program: killer });
    const browser = await signIn('ana');
    const answer = await browser.post('/deletions', { ids: ['one'] });
    const detail = assertFailure(answer, 503, '', NO_STORE);
    assert.ok(!detail.includes(database));
    assert.equal(await read('/v1/memories/one'), 200);
    assert.equal(said.length, 1);
  });
});
