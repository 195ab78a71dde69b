// Bookmarks and saved searches: only the app shows them, and they leave with their memory or account.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createAppWorld, listOf, NO_STORE } from '../support/app/app-world.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { memory } from '../support/world/world.ts';

const STAR = { is_starred: true, note: '' };

/** A gateway, a browser of `ana`, and three memories, of which `c` is the latest. */
async function createStarring(t: TestContext) {
  const world = await createAppWorld(t);
  world.writer.memories.putAll(
    'ana',
    ['a', 'b', 'c'].map((id, hour) =>
      memory({ id, name: `Talk ${id}`, started_at: `2027-03-01T0${hour}:00:00.000Z` }),
    ),
  );
  const browser = await world.signIn();
  const list = async () =>
    listOf(await browser.get('/bookmarks')).map(({ changed_at, done_items, ...bookmark }) => {
      assert.ok(Math.abs(Date.now() - Date.parse(String(changed_at))) < 60_000);
      const items = done_items as string[];
      return items.length > 0 ? { ...bookmark, items } : bookmark;
    });
  const count = () => engine.edit(world.database, 'SELECT * FROM bookmarks').length;
  return { ...world, browser, list, count };
}

describe('A bookmark', () => {
  it('has a star, a note or both, and is gone without both', async (t) => {
    const { browser, list, count } = await createStarring(t);
    const { status, text } = await browser.post('/bookmarks/a', STAR);
    assert.equal(status, 200);
    assert.deepEqual(
      JSON.parse(text),
      listOf(await browser.get('/bookmarks'))[0],
      'as the list has it',
    );
    await browser.post('/bookmarks/c', { is_starred: false, note: '  Ask Bo.\nTwice. ' });
    await browser.post('/bookmarks/b', { is_starred: true, note: 'No.' });
    await browser.post('/bookmarks/b', { is_starred: true, note: 'Yes 🐦' });
    assert.deepEqual(
      await list(),
      [
        { memory_id: 'c', is_starred: false, note: 'Ask Bo.\nTwice.' },
        { memory_id: 'b', is_starred: true, note: 'Yes 🐦' },
        { memory_id: 'a', is_starred: true, note: '' },
      ],
      'the latest memory first',
    );
    await browser.post('/bookmarks/a', { is_starred: false, note: ' ' });
    assert.equal((await list()).length, 2);
    assert.equal(count(), 2);
  });

  it('keeps what a change does not name, and is there for a ticked action item alone', async (t) => {
    const { browser, list, count } = await createStarring(t);
    const tick = (text: string, is_done = true) =>
      browser.post('/bookmarks/a', { item: { text, is_done } });
    await Promise.all([tick('buy a fridge'), tick('call bo 🐦')]);
    await tick('buy a fridge');
    const [ticked] = await list();
    const { items } = ticked as { items: string[] };
    assert.deepEqual(items.toSorted(), ['buy a fridge', 'call bo 🐦']);
    await tick('call bo 🐦', false);
    await browser.post('/bookmarks/a', { note: 'Ask Bo.' });
    await browser.post('/bookmarks/a', { is_starred: true });
    const all = { memory_id: 'a', is_starred: true, note: 'Ask Bo.', items: ['buy a fridge'] };
    assert.deepEqual(await list(), [all]);
    await browser.post('/bookmarks/a', { is_starred: false, note: '' });
    assert.deepEqual(await list(), [{ ...all, is_starred: false, note: '' }]);
    await tick('buy a fridge', false);
    assert.equal(count(), 0);
  });

  it('has at most 200 ticked action items, each with a text of 200 characters', async (t) => {
    const { browser, database, list } = await createStarring(t);
    const texts = Array.from({ length: 200 }, (_, at) => `item ${at}`);
    const stored = JSON.stringify(texts);
    engine.edit(database, `INSERT INTO bookmarks VALUES ('ana', 'a', 0, '', 1, '${stored}')`);
    const tick = (text: unknown, is_done: unknown = true) =>
      browser.post('/bookmarks/a', { item: { text, is_done } });
    assertFailure(await tick('one more'), 409, '', NO_STORE);
    assert.equal((await tick('item 7')).status, 200, 'one that is there');
    await tick('item 7', false);
    assert.equal((await tick('x'.repeat(200))).status, 200);
    for (const [text, is_done] of [['x'.repeat(201)], ['a\0b'], [5], ['a', 1]])
      assertFailure(await tick(text, is_done), 422, '', NO_STORE);
    const [{ items }] = (await list()) as [{ items: string[] }];
    assert.equal(items.length, 200);
  });

  it('changes no byte of its memory, and no path of /v1 has it', async (t) => {
    const { browser, port, keys } = await createStarring(t);
    const read = (path: string) => send(port, { path, key: keys.ana });
    const before = [await read('/v1/memories/a'), await read('/v1/changes')];
    await browser.post('/bookmarks/a', { is_starred: true, note: 'quokka' });
    const after = [await read('/v1/memories/a'), await read('/v1/changes')];
    assert.deepEqual(
      after.map(({ text, headers }) => [text, headers['etag']]),
      before.map(({ text, headers }) => [text, headers['etag']]),
    );
    assert.equal((await read('/v1/bookmarks')).status, 404);
    const found = await read('/v1/search?q=quokka');
    assert.doesNotMatch(found.text, /"memory_id"/);
  });

  it('waits while its memory is in the bin, and is erased with it', async (t) => {
    const { browser, list, writer, count } = await createStarring(t);
    for (const id of ['a', 'b', 'c']) await browser.post(`/bookmarks/${id}`, STAR);
    const change = { account_id: 'ana', agent: 'test' };
    await writer.bin.put({ ...change, ids: ['a', 'b'] });
    assert.deepEqual(
      (await list()).map(({ memory_id }) => memory_id),
      ['c'],
    );
    await writer.bin.restore({ ...change, ids: ['a'] });
    assert.deepEqual(
      (await list()).map(({ memory_id }) => memory_id),
      ['c', 'a'],
    );
    await writer.emptyBin(change);
    writer.erase({ account_id: 'ana', ids: ['c'] });
    assert.equal(count(), 1, 'only that of a is left');
    writer.eraseAccount('ana');
    assert.equal(count(), 0);
  });

  it('is for memories of the own account, from the own page, and within limits', async (t) => {
    const { browser, signIn, list, database } = await createStarring(t);
    const bo = await signIn('bo');
    assertFailure(await bo.post('/bookmarks/a', STAR), 404, '', NO_STORE);
    assertFailure(await browser.post('/bookmarks/nothing', STAR), 404, '', NO_STORE);
    const forged = { origin: 'https://evil.example' };
    assertFailure(await browser.post('/bookmarks/a', STAR, forged), 403, '', NO_STORE);
    for (const note of ['n'.repeat(2001), 'a\0b', 5])
      assertFailure(
        await browser.post('/bookmarks/a', { is_starred: true, note }),
        422,
        '',
        NO_STORE,
      );
    assert.deepEqual(await list(), []);
    await browser.post('/bookmarks/a', { is_starred: false, note: 'n'.repeat(2000) });
    assert.equal((await list()).length, 1);
    const rows = Array.from({ length: 1999 }, (_, at) => `('ana', 'm${at}', 1, '', 1, '[]')`);
    engine.edit(database, `INSERT INTO bookmarks VALUES ${rows.join(', ')}`);
    assertFailure(await browser.post('/bookmarks/b', STAR), 409, '', NO_STORE);
    assert.equal((await browser.post('/bookmarks/a', STAR)).status, 200, 'one that is there');
  });
});

describe('Bookmarks leave the app', () => {
  it('by export --format bookmarks, with the names and times of their memories, as far as its filters choose them', async (t) => {
    const { browser, database } = await createStarring(t);
    await browser.post('/bookmarks/c', STAR);
    await browser.post('/bookmarks/a', { is_starred: false, note: 'Milk\nand “bread”' });
    await browser.post('/bookmarks/a', { item: { text: 'buy milk', is_done: true } });
    const out = async (...more: string[]) => {
      const args = ['export', '--database', database, '--account', 'ana', '--format', 'bookmarks'];
      const { code, stdout, stderr } = await run([...args, ...more]);
      assert.equal(code, 0, stderr);
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as object);
    };
    const [first, second, ...others] = (await out()) as Record<string, unknown>[];
    assert.deepEqual(others, []);
    assert.ok(Date.parse(String(first?.['changed_at'])) > 0);
    assert.deepEqual(
      { ...first, changed_at: '' },
      {
        memory_id: 'a',
        name: 'Talk a',
        started_at: '2027-03-01T00:00:00.000Z',
        is_starred: false,
        note: 'Milk\nand “bread”',
        changed_at: '',
        done_items: ['buy milk'],
      },
    );
    assert.deepEqual([second?.['memory_id'], second?.['is_starred']], ['c', true]);
    const part = await out('--started-after', '2027-03-01T01:00:00.000Z');
    assert.deepEqual(part, [second]);
  });

  it('with a backup and with copy', { skip: onlyFiles }, async (t) => {
    const { browser, database } = await createStarring(t);
    await browser.post('/bookmarks/c', { is_starred: true, note: 'Keep.' });
    await browser.post('/bookmarks/c', { item: { text: 'Buy “milk” 🐦', is_done: true } });
    const rows = engine.edit(database, 'SELECT * FROM bookmarks');
    assert.equal(rows.length, 1);
    const [backup, copied] = [join(newFolder(), 'backup.db'), join(newFolder(), 'copy.db')];
    const backedUp = await run(['backup', backup, '--database', database]);
    assert.equal(backedUp.code, 0, backedUp.stderr);
    assert.deepEqual(engine.edit(backup, 'SELECT * FROM bookmarks'), rows);
    const copy = await run(['copy', '--from', database, '--to', copied]);
    assert.equal(copy.code, 0, copy.stderr);
    assert.deepEqual(engine.edit(copied, 'SELECT * FROM bookmarks'), rows);
    assert.equal((await run(['verify', '--database', copied])).code, 0);
    engine.edit(
      copied,
      `PRAGMA ignore_check_constraints = 1; UPDATE bookmarks SET is_starred = 7, done_items = '[5]'`,
    );
    const found = await run(['verify', '--database', copied]);
    assert.match(
      found.stdout + found.stderr,
      /The bookmark of memory c of account ana has an invalid value in is_starred, done_items\.0/,
    );
  });
});

describe('A saved search', () => {
  it('has a name and a query, is replaced under its name, and is gone without a query', async (t) => {
    const { browser, signIn } = await createStarring(t);
    const save = (name: string, query: string) => browser.post('/searches', { name, query });
    const list = async (who = browser) =>
      listOf(await who.get('/searches')).map(({ name, query }) => [name, query]);
    assert.equal((await save('Milk', 'q=milk&person=Bo')).status, 204);
    await save('Fridge 🐦', 'q=fridge');
    await save('Milk', 'q=milk&sort=newest');
    assert.deepEqual(await list(), [
      ['Fridge 🐦', 'q=fridge'],
      ['Milk', 'q=milk&sort=newest'],
    ]);
    assert.deepEqual(await list(await signIn('bo')), [], 'they belong to an account');
    await save('Milk', '');
    await save('Nothing', '');
    assert.deepEqual(await list(), [['Fridge 🐦', 'q=fridge']]);
  });

  it('is within limits, from the own page, and erased with its account', async (t) => {
    const { browser, database, writer } = await createStarring(t);
    const search = { name: 'Milk', query: 'q=milk' };
    const forged = { origin: 'https://evil.example' };
    assertFailure(await browser.post('/searches', search, forged), 403, '', NO_STORE);
    for (const wrong of [
      { name: ' ' },
      { name: '\ud800' },
      { query: 'q'.repeat(4097) },
      { query: 'a\0b' },
    ])
      assertFailure(await browser.post('/searches', { ...search, ...wrong }), 422, '', NO_STORE);
    await browser.post('/searches', search);
    const rows = Array.from({ length: 99 }, (_, at) => `('ana', 'n${at}', 'q=n', 1)`);
    engine.edit(database, `INSERT INTO searches VALUES ${rows.join(', ')}`);
    assertFailure(await browser.post('/searches', { ...search, name: 'b' }), 409, '', NO_STORE);
    assert.equal((await browser.post('/searches', search)).status, 204, 'one that is there');
    writer.eraseAccount('ana');
    assert.deepEqual(engine.edit(database, 'SELECT * FROM searches'), []);
  });

  it('leaves the app by export --format searches, which takes no filters', async (t) => {
    const { browser, database } = await createStarring(t);
    await browser.post('/searches', { name: 'Milk', query: 'q=milk&person=Bo' });
    const args = ['export', '--database', database, '--account', 'ana', '--format', 'searches'];
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Exported 1 saved search of account ana/);
    const { changed_at, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(rest, { name: 'Milk', query: 'q=milk&person=Bo' });
    assert.ok(Date.parse(String(changed_at)) > 0);
    const part = await run([...args, '--q', 'milk']);
    assert.equal(part.code, 2);
    assert.match(part.stderr, /--format searches writes all saved searches; leave the filters out/);
  });
});
