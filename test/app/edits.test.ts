// Edits in the app: a process of its own puts memories right, for the account of the session, and attacks on that.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { createLaterChanges, type LaterChangesOptions } from '../support/app/later-changes.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { readDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

const AGENT = /^Firefox|^Chrom|browser/i;
const NINE = '2026-11-18T09:00:00.000Z';

/** A gateway whose app edits, with two memories of ana and one of bo. The same person speaks in all. */
async function createEditing(t: TestContext, options?: LaterChangesOptions) {
  const { changes, said, open } = createLaterChanges(t, options);
  const world = await createAppWorld(t, { app: { changes } });
  open(world.database);
  const transcript = 'Speaker 1: Hello.\nSpeaker 2: Good morning.';
  const put = (account: string, ids: readonly string[]) =>
    world.writer.memories.putAll(
      account,
      ids.map((id) => memory({ id, name: `Talk ${id}`, transcript })),
    );
  put('ana', ['one', 'two']);
  put('bo', ['his']);
  const browser = await world.signIn('ana');
  const read = async (id: string) => jsonOf(await browser.get(`/memories/${id}`));
  const count = () =>
    Number(engine.edit(world.database, 'SELECT count(*) AS n FROM corrections')[0]?.['n']);
  return { ...world, browser, said, read, count };
}

describe('An edit in the app', () => {
  it('of a memory in the bin is refused until the memory is restored', async (t) => {
    const { browser } = await createEditing(t);
    const [made] = listOf(await browser.post('/edits', { memory_id: 'one', name: 'Stand-up' }));
    await browser.post('/deletions', { ids: ['one'] });
    const again = await browser.post('/edits', { memory_id: 'one', name: 'Daily' });
    const undone = await browser.delete(`/edits/${String(made?.['id'])}`);
    assert.equal(
      assertFailure(again, 404, '', NO_STORE),
      'This memory is in the bin, so nothing was changed; restore it first.',
    );
    assert.match(
      assertFailure(undone, 404, '', NO_STORE),
      /if its memory is in the bin, restore it first/,
    );
  });

  it('changes the name, the start and a speaker of one memory, and is taken back by undo', async (t) => {
    const { browser, read, count } = await createEditing(t);
    const [before, other] = [await read('one'), await read('two')];
    const answer = await browser.post('/edits', {
      memory_id: 'one',
      name: 'Stand-up',
      started_at: NINE,
      speakers: [{ from: 'Speaker 1', to: 'Ann' }],
    });
    assert.equal(answer.status, 200, answer.text);
    const made = listOf(answer).map(({ field, from, to, memory_id, replaced }) =>
      JSON.stringify([field, from, to, memory_id, replaced]),
    );
    assert.deepEqual(
      new Set(made),
      new Set([
        JSON.stringify(['name', 'Talk one', 'Stand-up', 'one', null]),
        JSON.stringify(['started_at', before['started_at'], NINE, 'one', null]),
        JSON.stringify(['speaker', 'Speaker 1', 'Ann', 'one', null]),
      ]),
    );
    const after = await read('one');
    assert.deepEqual(
      [after['name'], after['started_at'], after['transcript']],
      ['Stand-up', NINE, 'Ann: Hello.\nSpeaker 2: Good morning.'],
    );
    assert.equal(after['duration_seconds'], before['duration_seconds']);
    assert.deepEqual(await read('two'), other);

    const listed = listOf(await browser.get('/edits'));
    assert.deepEqual(
      new Set(listed.map(({ id }) => id)),
      new Set(listOf(answer).map(({ id }) => id)),
    );
    for (const { id } of listed)
      assert.equal((await browser.delete(`/edits/${String(id)}`)).status, 204);
    assert.deepEqual(await read('one'), before);
    assert.equal(count(), 0);
  });

  it('names a speaker everywhere if it names no memory', async (t) => {
    const { browser, read } = await createEditing(t);
    const bo = listOf(
      await browser.post('/edits', { speakers: [{ from: 'speaker 2', to: 'Bo' }] }),
    );
    assert.deepEqual(
      bo.map(({ memory_id, from, to }) => [memory_id, from, to]),
      [[null, 'speaker 2', 'Bo']],
    );
    for (const id of ['one', 'two'])
      assert.equal((await read(id))['transcript'], 'Speaker 1: Hello.\nBo: Good morning.');
  });

  it('says which edit of the same it has replaced', async (t) => {
    const { browser, count } = await createEditing(t);
    await browser.post('/edits', { memory_id: 'one', name: 'First' });
    const [second] = listOf(await browser.post('/edits', { memory_id: 'one', name: 'Second' }));
    assert.deepEqual([second?.['to'], second?.['replaced']], ['Second', 'First']);
    assert.equal(count(), 1);
    // Undo gives back what was imported.
    const [listed] = listOf(await browser.get('/edits'));
    assert.deepEqual([listed?.['from'], listed?.['to']], ['Talk one', 'Second']);
  });

  it('stands in the log of the account with the browser, and without the words', async (t) => {
    const { browser } = await createEditing(t);
    const made = await browser.post('/edits', {
      memory_id: 'one',
      name: 'Private',
      started_at: NINE,
    });
    await browser.delete(`/edits/${String(listOf(made)[0]?.['id'])}`);
    const events = listOf(await browser.get('/events')).slice(0, 2);
    assert.deepEqual(
      events.map(({ kind, subject }) => [kind, subject]),
      [
        ['edits-undone', '1'],
        ['memories-edited', '2'],
      ],
    );
    for (const { agent } of events) assert.match(String(agent), AGENT);
  });
});

describe('Imports in the app', () => {
  it('are counted by their sources within a time, of the account alone', async (t) => {
    const { signIn, writer } = await createAppWorld(t);
    const put = (account: string, id: string, product: string) => {
      const source = { product, format: null, id: null, url: null };
      return writer.memories.putReady([
        prepareMemory(account, memory({ id }), { read: readDetails({ source }) }),
      ]);
    };
    for (const id of ['one', 'two']) put('ana', id, 'otter');
    put('ana', 'three', 'zoom');
    put('bo', 'his', 'plaud');
    const ana = await signIn('ana');
    const of = async (from: string, to: string) =>
      listOf(await ana.post('/changes/sources', { from, to }));
    assert.deepEqual(await of('2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'), [
      { name: 'otter', memories: 2 },
      { name: 'zoom', memories: 1 },
    ]);
    assert.deepEqual(await of('2000-01-01T00:00:00.000Z', '2000-01-02T00:00:00.000Z'), []);
    assertFailure(await ana.post('/changes/sources', { from: 'x', to: 'y' }), 422, '', NO_STORE);
  });
});

describe('An attack on edits', () => {
  it('with memories and edits of another account or of nobody changes nothing, and all get one 404', async (t) => {
    const { browser, signIn, count } = await createEditing(t);
    const other = await signIn('bo');
    const [his] = listOf(await other.post('/edits', { memory_id: 'his', name: 'Mine' }));
    const details = new Set<string>();
    for (const memory_id of ['his', 'nowhere'])
      details.add(
        assertFailure(await browser.post('/edits', { memory_id, name: 'x' }), 404, '', NO_STORE),
      );
    for (const id of [String(his?.['id']), 'nowhere'])
      details.add(assertFailure(await browser.delete(`/edits/${id}`), 404, id, NO_STORE));
    assert.equal(details.size, 2);
    assert.deepEqual(listOf(await browser.get('/edits')), []);
    assert.equal(jsonOf(await other.get('/memories/his'))['name'], 'Mine');
    assert.equal(count(), 1);
  });

  it('leaves the speakers of other accounts alone', async (t) => {
    const { browser, signIn } = await createEditing(t);
    await browser.post('/edits', { speakers: [{ from: 'Speaker 1', to: 'Ann' }] });
    const his = jsonOf(await (await signIn('bo')).get('/memories/his'));
    assert.match(String(his['transcript']), /^Speaker 1: /);
  });

  it('with nothing, something else or wrong values is refused before a process starts', async (t) => {
    const { browser } = await createEditing(t, { program: ['/nowhere'] });
    const memory_id = 'one';
    for (const body of [
      {},
      { memory_id },
      { name: 'everywhere' },
      { started_at: NINE },
      { memory_id: '../x', name: 'x' },
      { memory_id, name: '' },
      { memory_id, name: 'two\nlines' },
      { memory_id, name: 'x', transcript: 'Ann: I agree.' },
      { memory_id, started_at: 'yesterday' },
      { memory_id, started_at: '2026-02-30T09:00:00.000Z' },
      { memory_id, speakers: [] },
      { memory_id, speakers: [{ from: 'Ann' }] },
      { memory_id, speakers: ['Bea', 'Cy'].map((to) => ({ from: 'Ann', to })) },
      {
        speakers: [
          { from: 'Ann', to: 'Bea' },
          { from: ' ANN', to: 'Bea' },
        ],
      },
      { memory_id, speakers: [{ from: 'Ann', to: 'Ann' }] },
      { memory_id, speakers: [{ from: 'Ann', to: 'Bo: I pay. Cy' }] },
      { memory_id, speakers: [{ from: 'Ann', to: 'Bo\nCy' }] },
      { memory_id, speakers: [{ from: 'Ann', to: 'Bo\0' }] },
      { memory_id, speakers: [{ from: 'Ann\ud800', to: 'Bo' }] },
    ])
      assertFailure(await browser.post('/edits', body), 422, JSON.stringify(body), NO_STORE);
    const name = 'x'.repeat(10_000);
    assertFailure(await browser.post('/edits', { memory_id, name }), 413, '', NO_STORE);
  });

  it('is taken back once by several browsers at once, and no process starts for the others', async (t) => {
    const { browser, said } = await createEditing(t);
    const [made] = listOf(await browser.post('/edits', { memory_id: 'one', name: 'Stand-up' }));
    const undo = async () => (await browser.delete(`/edits/${String(made?.['id'])}`)).status;
    const statuses = await Promise.all([undo(), undo(), undo()]);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [204, 404, 404],
    );
    assert.deepEqual(said, [], 'a process that finds no edit would have failed');
  });

  it('that looks like options of a command is a name and nothing else', async (t) => {
    const { browser, read } = await createEditing(t);
    const answer = await browser.post('/edits', { memory_id: 'one', name: '--account=bo; $(id)' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await read('one'))['name'], '--account=bo; $(id)');
  });

  it('finds no word of it among the arguments of the process', async (t) => {
    const shows = ['/bin/sh', '-c', 'echo "$*" >&2; exit 1', 'sh'];
    const { browser, said } = await createEditing(t, { program: shows });
    await browser.post('/edits', { memory_id: 'one', name: 'Private' });
    const [{ problem = '' } = {}] = said as { readonly problem?: string }[];
    assert.match(problem, /^edit - --account=ana --json/);
    assert.doesNotMatch(problem, /Private|one/);
  });

  it('that kills the process leaves all or nothing, and a sentence without a path', async (t) => {
    const killer = ['/bin/sh', '-c', 'kill -9 $$', 'sh'];
    const { browser, database, read, count } = await createEditing(t, { program: killer });
    const answer = await browser.post('/edits', { memory_id: 'one', name: 'x' });
    const detail = assertFailure(answer, 503, '', NO_STORE);
    assert.match(detail, /nothing was changed/);
    assert.ok(!detail.includes(database));
    assert.equal((await read('one'))['name'], 'Talk one');
    assert.equal(count(), 0);
  });
});
