// The state of recurring sources: how far they have come, which memories they added, and which run may write.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { openPullQueue } from '../../src/cli/pull/queue.ts';
import { copyDatabase } from '../../src/store/copy/copy.ts';
import { engineOf } from '../../src/store/engines.ts';
import { withoutProgress } from '../../src/store/progress.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { openWriter } from '../../src/store/sqlite/writer.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { memory } from '../support/world/world.ts';

const SOURCE = { account_id: 'ana', name: 'limitless' };
const NEW_RUN = { ...SOURCE, kind: 'pull', settings: '{"url":"http://127.0.0.1:1"}' } as const;
const NO_COUNTS = { added: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0 };

/** A database with an account that has the memory `old`. */
function createTarget(t: TestContext) {
  const database = engine.create(t, newFolder());
  const writer = engine.write(t, database);
  for (const id of ['ana', 'bo'])
    writer.accounts.create({ id, name: id, created_by: 'command line' });
  writer.memories.put('ana', memory({ id: 'old' }));
  return { database, writer };
}

describe('The state of a source', () => {
  it('is there for the next run, with the result of the last one', (t) => {
    const { writer } = createTarget(t);
    const began = Date.now();
    const first = writer.sources.start(NEW_RUN);
    assert.equal(first.before, undefined);
    writer.sources.keep(first.run, { ...NO_COUNTS, added: 2, state: '{"since":"a"}' });
    const ended = { ...NO_COUNTS, added: 2, rejected: 1, result: 'ok', error: null } as const;
    assert.equal(writer.sources.end(first.run, ended), true);
    const { before } = writer.sources.start(NEW_RUN);
    assert.deepEqual(
      [before?.state, before?.result, before?.added, before?.rejected],
      ['{"since":"a"}', 'ok', 2, 1],
    );
    assert.ok((before?.started_at ?? 0) >= began);
    assert.equal(before?.succeeded_at, before?.ended_at);
    const [now] = writer.sources.list();
    assert.deepEqual([now?.result, now?.ended_at, now?.added], [null, null, 0]);
    assert.deepEqual([now?.state, now?.succeeded_at], ['{"since":"a"}', before?.succeeded_at]);
  });

  it('knows the usual time between runs, and not that of repetitions by hand', (t) => {
    const { database, writer } = createTarget(t);
    const hoursAgo = (hours: number) =>
      engine.edit(database, `UPDATE sources SET started_at = started_at - ${hours * 3_600_000}`);
    const usual = () => Math.round((writer.sources.find(SOURCE)?.interval_ms ?? 0) / 3_600_000);
    writer.sources.start(NEW_RUN);
    writer.sources.start(NEW_RUN);
    assert.equal(writer.sources.find(SOURCE)?.interval_ms, null);
    hoursAgo(4);
    writer.sources.start(NEW_RUN);
    assert.equal(usual(), 4);
    hoursAgo(8);
    writer.sources.start(NEW_RUN);
    assert.equal(usual(), 5);
  });

  it('keeps an error as one line, and the time of the last success', (t) => {
    const { writer } = createTarget(t);
    const good = writer.sources.start(NEW_RUN);
    writer.sources.end(good.run, { ...NO_COUNTS, result: 'ok', error: null });
    const succeeded = writer.sources.find(SOURCE)?.succeeded_at;
    const bad = writer.sources.start(NEW_RUN);
    writer.sources.end(bad.run, { ...NO_COUNTS, result: 'failed', error: 'a\0\n\u001b[2Jb' });
    const found = writer.sources.find(SOURCE);
    assert.deepEqual(
      [found?.error, found?.result, found?.succeeded_at],
      ['a [2Jb', 'failed', succeeded],
    );
  });

  it('can be forgotten, while its memories stay', (t) => {
    const { writer } = createTarget(t);
    writer.sources.start(NEW_RUN);
    writer.sourceMemories.track(SOURCE, [{ memory_id: 'new', item_id: '1' }]);
    writer.memories.put('ana', memory({ id: 'new' }));
    assert.equal(writer.sources.forget(SOURCE), true);
    assert.equal(writer.sources.forget(SOURCE), false);
    assert.deepEqual(writer.sources.list(), []);
    assert.deepEqual(writer.sourceMemories.page(SOURCE, ''), []);
    assert.equal(writer.memories.count('ana'), 2);
  });

  it('belongs to an account that exists', (t) => {
    const { writer } = createTarget(t);
    assert.throws(() => writer.sources.start({ ...NEW_RUN, account_id: 'cleo' }), {
      name: 'Refusal',
      message: /^There is no account "cleo"/,
    });
    writer.sources.start(NEW_RUN);
    writer.sources.start({ ...NEW_RUN, account_id: 'bo' });
    assert.deepEqual(
      writer.sources.list().map(({ account_id }) => account_id),
      ['ana', 'bo'],
    );
  });
});

describe('A run that another one has replaced', () => {
  const REPLACED = { name: 'Refusal', message: /^Another run of this source has started, or a/ };

  it('can store nothing', (t) => {
    const { writer } = createTarget(t);
    const { run: first } = writer.sources.start(NEW_RUN);
    const { run: second } = writer.sources.start(NEW_RUN);
    assert.throws(() => writer.sources.step(first), REPLACED);
    assert.throws(() => writer.sources.keep(first, { ...NO_COUNTS, state: '{}' }), REPLACED);
    assert.equal(writer.sources.end(first, { ...NO_COUNTS, result: 'ok', error: null }), false);
    const next = writer.sources.step(second);
    assert.throws(() => writer.sources.keep(second, { ...NO_COUNTS, state: '{}' }), REPLACED);
    writer.sources.keep(next, { ...NO_COUNTS, state: '{"since":"b"}' });
    assert.equal(writer.sources.find(SOURCE)?.state, '{"since":"b"}');
  });

  it('includes a run that a restore has undone', { skip: onlyFiles }, async (t) => {
    const { database, writer } = createTarget(t);
    const { run } = writer.sources.start(NEW_RUN);
    const file = await engineOf(database).file?.();
    const backup = join(newFolder(), 'backup.db');
    await file?.backUp({ file: backup });
    const next = writer.sources.step(run);
    await file?.restore({ file: backup, discard: true });
    assert.throws(
      () => writer.sources.keep(next, { ...NO_COUNTS, state: '{"since":"later"}' }),
      REPLACED,
    );
  });
});

describe('The memories of a source', () => {
  it('are those that it added, and none that were there before', (t) => {
    const { writer } = createTarget(t);
    writer.sources.start(NEW_RUN);
    const both = [
      { memory_id: 'new', item_id: '1' },
      { memory_id: 'old', item_id: '2' },
    ];
    assert.deepEqual(writer.sourceMemories.track(SOURCE, both), new Set(['new']));
    writer.memories.put('ana', memory({ id: 'new' }));
    assert.deepEqual(writer.sourceMemories.track(SOURCE, both), new Set(['new']), 'again');
    assert.deepEqual(writer.sourceMemories.own(SOURCE, ['old', 'new', 'x']), new Set(['new']));
    assert.deepEqual(writer.sourceMemories.page(SOURCE, ''), [{ memory_id: 'new', item_id: '1' }]);
    assert.deepEqual(writer.sourceMemories.page(SOURCE, 'new'), []);
    assert.deepEqual(writer.sourceMemories.present(SOURCE, ['1', '2']), ['new']);
    writer.sourceMemories.untrack(SOURCE, ['1']);
    assert.deepEqual(writer.sourceMemories.present(SOURCE, ['1']), []);
    assert.deepEqual(writer.sourceMemories.own(SOURCE, ['new']), new Set());
  });
});

describe('The pulls of the app', () => {
  it('are claimed all or none, so that none waits for its next time without a run', async (t) => {
    const { database } = createTarget(t);
    for (const [name, interval] of [
      ['omi', '60000'],
      ['bee', '9223372036854775807'], // the next run would be at a time that no database has
    ])
      engine.edit(
        database,
        `INSERT INTO pulls VALUES ('ana', '${name}', '${randomUUID()}', '${name}', NULL, ${interval}, NULL, 0, ${name === 'omi' ? 0 : 1})`,
      );
    const { claimDue } = openPullQueue(database);
    await assert.rejects(claimDue());
    engine.edit(database, `UPDATE pulls SET interval_ms = 60000`);
    const claimed = await claimDue();
    assert.deepEqual(
      claimed.map(({ name }) => name),
      ['omi', 'bee'],
    );
    assert.deepEqual(await claimDue(), []);
  });
});

describe('The files of a watched folder', () => {
  it('are found again as they were read, in the order of their paths', (t) => {
    const { writer } = createTarget(t);
    const folder = { account_id: 'ana', name: 'folder:/srv' };
    writer.sources.start({ ...folder, kind: 'watch', settings: '{}' });
    const file = { size: 5e9, modified_at: 1, marker: '8:1', read_at: 2, reason: null } as const;
    writer.watchedFiles.put(folder, { ...file, path: 'b/é.vtt', result: 'imported' });
    writer.watchedFiles.put(folder, { ...file, path: 'a.vtt', result: 'skipped' });
    writer.watchedFiles.put(folder, { ...file, path: 'a.vtt', result: 'moved', size: 6 });
    assert.deepEqual(
      writer.watchedFiles.page(folder, '').map(({ path, result, size }) => [path, result, size]),
      [
        ['a.vtt', 'moved', 6],
        ['b/é.vtt', 'imported', 5e9],
      ],
    );
    assert.equal(writer.watchedFiles.find(folder, 'b/é.vtt')?.marker, '8:1');
    const unread = { ...file, result: 'rejected', reason: 'it is empty' } as const;
    writer.watchedFiles.put(folder, { ...unread, path: 'old.vtt' });
    writer.watchedFiles.put(folder, { ...unread, path: 'new.vtt', read_at: 3 });
    const pathsSince = (since: number) =>
      writer.watchedFiles.unread(folder, since).map(({ path }) => path);
    assert.deepEqual(
      [pathsSince(0), pathsSince(3), pathsSince(4)],
      [['new.vtt', 'old.vtt'], ['new.vtt'], []],
    );
    assert.equal(writer.watchedFiles.find(folder, 'c.vtt'), undefined);
  });
});

describe('A copy of a database', () => {
  it('has its sources, and the next copy has what they did since', async (t) => {
    const { database, writer } = createTarget(t);
    const { run } = writer.sources.start(NEW_RUN);
    writer.sourceMemories.track(SOURCE, [{ memory_id: 'new', item_id: '1' }]);
    const to = join(newFolder(), 'copy.db');
    await copyDatabase({ from: database, to, stage: withoutProgress });
    writer.sources.keep(writer.sources.step(run), { ...NO_COUNTS, state: '{"since":"c"}' });
    await copyDatabase({ from: database, to, stage: withoutProgress });
    assert.deepEqual((await verifyFile(to)).findings, []);
    const copy = openWriter(to);
    t.after(() => copy.close());
    assert.deepEqual(copy.sources.list(), writer.sources.list());
    assert.deepEqual(copy.sourceMemories.page(SOURCE, ''), [{ memory_id: 'new', item_id: '1' }]);
  });
});
