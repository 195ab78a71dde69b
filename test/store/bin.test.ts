// The bin: a memory in it is deleted for everybody, and comes back byte for byte, or leaves nothing behind.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { importMemories } from '../../src/setup.ts';
import { copyDatabase } from '../../src/store/copy/copy.ts';
import { engineOf } from '../../src/store/engines.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { withoutProgress } from '../../src/store/progress.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { DAY } from '../support/world/app-store.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const CORRECTION = '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071';
const SOURCE = { account_id: 'ana', name: 'limitless' };
const BY = { account_id: 'ana', agent: 'Firefox on Linux' };

const one = memory({
  id: 'one',
  name: 'Quokkas\0of \uD800',
  transcript: 'Ana: Quokkas.',
  started_at: '2026-11-18T09:30:00.000Z',
});

/** Account ana with a memory that has details, an original and a correction, and three others. */
async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, writer } = world;
  const key = world.addAccount('ana', memories(3));
  writer.memories.putReady([prepareMemory('ana', one, fullDetails())]);
  engine.edit(
    database,
    `INSERT INTO corrections VALUES ('ana', '${CORRECTION}', 'one', 'name', NULL, 'Marsupials', 7)`,
  );
  const get = async (path: string) => {
    const { status, headers, text } = await send(world.port, { key, path });
    return { status, etag: headers['etag'], text };
  };
  const rows = (sql: string) => engine.edit(database, sql);
  const count = (table: string) => Number(rows(`SELECT count(*) AS n FROM ${table}`)[0]?.['n']);
  const verify = async () => (await engineOf(database).verify()).findings;
  return { ...world, get, rows, count, verify };
}

/** Gives the memory `one` all that can belong to a memory: a link, a star, a note, a tick, another name, a source. */
async function belongings(
  t: TestContext,
  { database, writer }: Awaited<ReturnType<typeof createAna>>,
) {
  const app = await engineOf(appAddress(database)).openApp();
  t.after(() => app.close());
  const of = { account_id: 'ana', memory_id: 'one' };
  const expires_at = Date.now() + 90 * DAY;
  const shared = await app.shares.create({ ...of, content: '{}', expires_at, agent: BY.agent });
  const secret = issued(shared?.secret ?? '');
  assert.ok(await app.shares.find(secret));
  const item = { text: 'buy milk', is_done: true };
  await app.bookmarks.change(of, { is_starred: 1, note: 'Mine.', item });
  const name = { field: 'name', old: null, new: 'Our own title' } as const;
  await writer.corrections.correct({ ...of, corrections: [name] });
  writer.sources.start({ ...SOURCE, kind: 'pull', settings: '{}' });
  engine.edit(database, `INSERT INTO source_memories VALUES ('ana', 'limitless', 'one', '1')`);
  return { app, secret };
}

/** Everything that is read of a memory, and every table that has rows of it. */
async function stateOf({ get, rows }: Awaited<ReturnType<typeof createAna>>) {
  const tables = ['originals', 'details', 'facets', 'facet_totals', 'action_items', 'corrections'];
  return {
    memory: await get('/v1/memories/one'),
    details: await get('/v1/memories/one/details'),
    original: await get('/v1/memories/one/original'),
    rows: tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)),
    bytes: rows(`SELECT body_sha256, slim_sha256, body FROM memories WHERE id = 'one'`),
  };
}

describe('A memory in the bin', () => {
  it('is deleted in every response and in the feed, and its words find nothing', async (t) => {
    const ana = await createAna(t);
    const { next } = await ana.gateway.as('ana').changes.page();
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    assert.equal((await ana.get('/v1/memories/one')).status, 404);
    assert.equal((await ana.get('/v1/memories/one/details')).status, 404);
    assert.equal(JSON.parse((await ana.get('/v1/memories')).text).length, 3);
    assert.equal((await ana.get('/v1/memories?q=quokkas')).text, '[]');
    assert.equal(JSON.parse((await ana.get('/v1/search?q=quokkas')).text).memories_found, 0);
    assert.equal((await ana.get('/v1/people')).text, '[]');
    const [change, ...more] = JSON.parse((await ana.get(`/v1/changes?since=${next}`)).text);
    assert.deepEqual([change.memory_id, change.change, more], ['one', 'delete', []]);
    assert.deepEqual(await ana.verify(), []);
  });

  it('comes back with its bytes, etag, details, original and corrections, and is an upsert in the feed', async (t) => {
    const ana = await createAna(t);
    const before = await stateOf(ana);
    const { next } = await ana.gateway.as('ana').changes.page();
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    await ana.writer.bin.restore({ ...BY, ids: ['m001', 'one'] });
    assert.deepEqual(await stateOf(ana), before);
    assert.equal(JSON.parse((await ana.get('/v1/memories?q=quokkas')).text).length, 1);
    const changes = JSON.parse((await ana.get(`/v1/changes?since=${next}`)).text);
    assert.deepEqual(
      changes.map((each: { memory_id: string; change: string }) => [each.memory_id, each.change]),
      [
        ['m001', 'upsert'],
        ['one', 'upsert'],
      ],
    );
    assert.equal(ana.count('deleted_memories'), 0);
    assert.deepEqual(await ana.verify(), []);
  });

  it('is erased by its name, with all others that are named or not at all', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    await assert.rejects(
      async () => ana.writer.emptyBin({ ...BY, ids: ['one', 'two'] }),
      /no memory two in the bin of account ana; nothing was erased/,
    );
    assert.equal(ana.count('deleted_memories'), 2);
    assert.equal((await ana.writer.emptyBin({ ...BY, ids: ['one'] })).count, 1);
    await assert.rejects(
      async () => ana.writer.bin.restore({ ...BY, ids: ['one'] }),
      /no memory one/,
    );
    await ana.writer.bin.restore({ ...BY, ids: ['m001'] });
    assert.deepEqual(await ana.verify(), []);
  });

  it('stands in the log of the account with the browser, without a word of it', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    await ana.writer.bin.restore({ ...BY, ids: ['one'] });
    await ana.writer.emptyBin(BY);
    assert.deepEqual(
      ana
        .rows('SELECT kind, subject, agent FROM account_events ORDER BY seq')
        .slice(1) // the key
        .map(({ kind, subject, agent }) => [kind, String(subject), agent]),
      [
        ['memories-deleted', '2', BY.agent],
        ['memories-restored', '1', BY.agent],
        ['bin-emptied', '1', BY.agent],
      ],
    );
  });

  it('goes there with all others or none, and only from its own account', async (t) => {
    const ana = await createAna(t);
    ana.addAccount('bo', [memory({ id: 'his' })]);
    const refused = async (work: () => unknown, says: RegExp) =>
      assert.rejects(async () => work(), says);
    const { bin } = ana.writer;
    const there = /There is no memory his in account ana; nothing was deleted/;
    await refused(() => bin.put({ ...BY, ids: ['one', 'his'] }), there);
    assert.equal(ana.count('memories'), 5);
    assert.equal(ana.count('deleted_memories'), 0);

    await bin.put({ ...BY, ids: ['one', 'm001'] });
    await refused(() => bin.put({ ...BY, ids: ['one'] }), /no memory one in account ana/);
    await refused(
      () => bin.restore({ ...BY, account_id: 'bo', ids: ['one'] }),
      /no memory one in the bin of account bo/,
    );
    await refused(() => bin.restore({ ...BY, ids: ['one', 'm002'] }), /nothing was restored/);
    assert.equal(ana.count('deleted_memories'), 2);
    assert.equal(ana.count('memories'), 3);
    await refused(
      () => bin.put({ ...BY, account_id: 'cy', ids: ['one'] }),
      /There is no account "cy"/,
    );
  });

  it('keeps an original that another memory was made from as well, and is the last to let it go', async (t) => {
    const ana = await createAna(t);
    const other = memory({ id: 'other', transcript: 'Ana: Wombats.' });
    ana.writer.memories.putReady([prepareMemory('ana', other, fullDetails())]);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    ana.writer.erase({ account_id: 'ana', ids: ['other'] });
    assert.equal(ana.count('originals'), 1);
    await ana.writer.emptyBin(BY);
    assert.deepEqual([ana.count('originals'), ana.count('deleted_memories')], [0, 0]);
    assert.deepEqual(await ana.verify(), []);
  });

  it('does not come back after 30 days, and is then erased', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    const days = (count: number) => Date.now() - count * 86_400_000;
    ana.rows(`UPDATE deleted_memories SET deleted_at = ${days(30)} WHERE memory_id = 'one'`);
    ana.rows(`UPDATE deleted_memories SET deleted_at = ${days(29)} WHERE memory_id = 'm001'`);
    await assert.rejects(
      async () => ana.writer.bin.restore({ ...BY, ids: ['one'] }),
      /no memory one in the bin/,
    );
    assert.equal((await ana.writer.emptyBin('expired')).count, 1);
    assert.deepEqual(
      ana.rows('SELECT memory_id FROM deleted_memories').map(({ memory_id }) => memory_id),
      ['m001'],
    );
    assert.equal(ana.count('originals'), 0);
  });

  it('is not written by damaged bytes', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    ana.rows(`UPDATE deleted_memories SET details = slim WHERE memory_id = 'one'`);
    ana.rows(`UPDATE deleted_memories SET body = slim WHERE memory_id = 'm001'`);
    for (const id of ['one', 'm001'])
      await assert.rejects(
        async () => ana.writer.bin.restore({ ...BY, ids: [id] }),
        /is damaged: its bytes have changed/,
      );
    assert.equal(ana.count('memories'), 2);
    assert.deepEqual(
      (await ana.verify())
        .map((finding) => /^Memory "?(\w+)"? in the bin .* is damaged/.exec(finding)?.[1] ?? '')
        .toSorted((a, b) => a.localeCompare(b)),
      ['m001', 'one'],
    );
  });

  it('is copied to another database, and comes back there', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    const to = join(newFolder(), 'copy.db');
    await copyDatabase({ from: ana.database, to, stage: withoutProgress });
    await engineOf(to).withWriter(({ bin }) => bin.restore({ ...BY, ids: ['one'] }));
    const { findings, memories: there } = await engineOf(to).verify();
    assert.deepEqual([findings, there], [[], 4]);
    assert.equal((await ana.get('/v1/memories/one')).status, 404);
  });
});

describe('An import', () => {
  const arriving = { account_id: 'ana', memory: { ...one, user_id: 'ana' } };
  const importInto = (
    database: string,
    arrivals: readonly (typeof arriving & object)[],
    isDry = false,
  ) =>
    engineOf(database).withImport({ isDry, isAtomic: false }, async (into) => {
      const results = await into.put(await into.reconcile(arrivals));
      await into.commit();
      return results;
    });

  it('leaves a recording in the bin and says so, until the bin was emptied', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    assert.deepEqual(await importInto(ana.database, [arriving]), ['binned']);
    assert.equal((await ana.get('/v1/memories/one')).status, 404);
    await ana.writer.emptyBin(BY);
    assert.deepEqual(await importInto(ana.database, [arriving]), ['added']);
    assert.equal((await ana.get('/v1/memories/one')).status, 200);
  });

  it('gives a memory nothing of one with its id that has expired in the bin and was not erased yet', async (t) => {
    const ana = await createAna(t);
    const { app, secret } = await belongings(t, ana);
    await ana.writer.bin.put({ ...BY, ids: ['one', 'm001'] });
    const ago = Date.now() - 30 * DAY;
    ana.rows(`UPDATE deleted_memories SET deleted_at = ${ago} WHERE memory_id = 'one'`);
    assert.deepEqual(await importInto(ana.database, [arriving], true), ['added'], 'a dry run');
    assert.equal(ana.count('deleted_memories'), 2);
    assert.deepEqual(await importInto(ana.database, [arriving]), ['added']);
    assert.deepEqual(await app.shares.list('ana'), []);
    assert.equal(await app.shares.find(secret), undefined);
    assert.deepEqual(await app.bookmarks.list('ana'), []);
    assert.deepEqual(await app.edits.list('ana'), []);
    assert.deepEqual([ana.count('uncorrected'), ana.count('originals')], [0, 0]);
    const { name } = JSON.parse((await ana.get('/v1/memories/one')).text);
    assert.equal(name, one.name, 'the name that was imported');
    assert.deepEqual(ana.writer.sourceMemories.own(SOURCE, ['one']), new Set());
    assert.equal((await ana.writer.emptyBin('expired')).count, 0);
    await ana.writer.bin.restore({ ...BY, ids: ['m001'] });
    assert.deepEqual(await ana.verify(), []);
  });

  it('leaves a recording in the bin that expires while it runs, until that is erased', async (t) => {
    const ana = await createAna(t);
    const { app } = await belongings(t, ana);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    const how = { isDry: false, isAtomic: false };
    await engineOf(ana.database).withImport(how, async (into) => {
      ana.rows(`UPDATE deleted_memories SET deleted_at = ${Date.now() - 30 * DAY}`);
      assert.deepEqual(await into.put(await into.reconcile([arriving])), ['binned']);
    });
    assert.equal((await ana.writer.emptyBin('expired')).count, 1);
    assert.deepEqual(await app.shares.list('ana'), []);
  });

  it('by a program gives a memory nothing of one that has expired in the bin', async (t) => {
    const ana = await createAna(t);
    const { app } = await belongings(t, ana);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    ana.rows(`UPDATE deleted_memories SET deleted_at = ${Date.now() - 30 * DAY}`);
    assert.deepEqual(await importMemories(ana.database, 'ana', [arriving.memory]), ['added']);
    assert.deepEqual(await app.shares.list('ana'), []);
    assert.deepEqual(await app.bookmarks.list('ana'), []);
  });

  it('leaves a recording in the bin if its file comes again under another name', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    const renamed = {
      ...arriving,
      memory: { ...arriving.memory, id: 'renamed' },
      details: fullDetails({ line_starts_ms: [0, 1000] }),
      file: { otherIds: [], isDated: true },
    };
    assert.deepEqual(await importInto(ana.database, [renamed]), ['binned']);
    assert.equal((await ana.get('/v1/memories/renamed')).status, 404);
  });

  it('leaves a recording in the bin that was put right, if its file comes again as it was', async (t) => {
    const ana = await createAna(t);
    const rename = { field: 'speaker', old: 'Ana', new: 'Bo' } as const;
    const edit = { account_id: 'ana', memory_id: 'one', corrections: [rename] };
    await ana.writer.corrections.correct(edit);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    const file = { otherIds: ['one-2'], isDated: true };
    assert.deepEqual(await importInto(ana.database, [{ ...arriving, file } as typeof arriving]), [
      'binned',
    ]);
  });

  it('gives another recording of a file with the same name an id of its own', async (t) => {
    const ana = await createAna(t);
    await ana.writer.bin.put({ ...BY, ids: ['one'] });
    const file = { otherIds: ['one-2'], siblingIds: [], isDated: false };
    const other = {
      ...arriving.memory,
      started_at: '2026-11-25T09:30:00.000Z',
      ended_at: '2026-11-25T10:30:00.000Z',
      transcript: 'Bo: Something else entirely, about the harbour and its boats.',
    };
    assert.deepEqual(await importInto(ana.database, [{ ...arriving, file } as typeof arriving]), [
      'binned',
    ]);
    assert.deepEqual(
      await importInto(ana.database, [{ ...arriving, memory: other, file } as typeof arriving]),
      ['added'],
    );
    assert.equal((await ana.get('/v1/memories/one-2')).status, 200);
  });
});

describe('An emptied bin', { skip: onlyFiles }, () => {
  it('leaves no word of its memories in the files', async (t) => {
    const ana = await createAna(t);
    const secret = memory({
      id: 'secret',
      transcript: 'Zathrokeel jumblefrisk. '.repeat(3000),
    });
    ana.writer.memories.putReady([prepareMemory('ana', secret, fullDetails({}, 'wyncraddock'))]);
    const inFiles = () =>
      ['', '-wal'].some((end) =>
        /throkeel|mblefrisk|ncraddock/i.test(readFileSync(ana.database + end, 'latin1')),
      );
    await ana.writer.bin.put({ ...BY, ids: ['secret'] });
    assert.equal(inFiles(), true);
    assert.deepEqual(await ana.writer.emptyBin(BY), { count: 1, erased: true });
    assert.equal(inFiles(), false);
  });
});
