// Corrections: data beside a memory, from which it is made again.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import * as v from 'valibot';

import { Memory } from '../../src/contract/schemas/memory.ts';
import type { CorrectionRequest } from '../../src/store/details/correct.ts';
import { applyCorrections, type Correction } from '../../src/store/details/corrections.ts';
import type { NewCorrection } from '../../src/store/details/new-correction.ts';
import { engineOf } from '../../src/store/engines.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { fullDetails, person, readDetails } from '../support/world/details.ts';
import { createWorld, memory } from '../support/world/world.ts';

const speaker = (old: string, to: string): NewCorrection => ({ field: 'speaker', old, new: to });

function made(at: number, ...all: readonly NewCorrection[]): Correction[] {
  return all.map((each) => ({
    ...each,
    account_id: 'ana',
    id: 'x',
    memory_id: null,
    made_at: at,
  }));
}

const TALK = memory({
  id: 'one',
  name: 'Talk',
  started_at: '2026-11-18T09:00:00.000Z',
  ended_at: '2026-11-18T09:30:00.000Z',
  duration_seconds: 1800,
  transcript: 'Speaker 1: Milk.\nSpeaker 2: Speaker 1: which one?\n(a door)\nSPEAKER 1: Oat.',
});

const READ = readDetails({
  people: [
    person('Speaker 1', { lines: 2, words: 3, speaking_ms: 900 }),
    person('Speaker 2'),
    person('Ann', { role: 'attendee', lines: 0, words: 0, email: 'ann@a.example' }),
  ],
  action_items: [{ text: 'Buy it', owner: 'Speaker 1', due: null, done: null, line: 1 }],
});

function apply(...corrections: readonly Correction[][]) {
  return applyCorrections({ memory: TALK, read: READ }, corrections.flat());
}

describe('A corrected speaker', () => {
  it('has the new name before turns in any case, but not within what is said', () => {
    const { memory: corrected } = apply(made(1, speaker('Speaker 1', 'Ann')));
    assert.equal(
      corrected.transcript,
      'Ann: Milk.\nSpeaker 2: Speaker 1: which one?\n(a door)\nAnn: Oat.',
    );
  });

  it('is one person with whoever has this name, and owns their action items', () => {
    const { read } = apply(made(1, speaker('speaker 1', 'Ann')));
    assert.deepEqual(read.people, [
      { ...person('Ann', { lines: 2, words: 3, speaking_ms: 900 }), email: 'ann@a.example' },
      person('Speaker 2'),
    ]);
    assert.equal(read.action_items[0]?.owner, 'Ann');
  });

  it('has the last name if it was renamed twice', () => {
    const { memory: corrected } = apply(
      made(1, speaker('Speaker 2', 'Bo')),
      made(2, speaker('Bo', 'Bob')),
    );
    assert.match(corrected.transcript, /^Bob: Speaker 1: which/m);
  });

  it('can exchange its name with another one', () => {
    const swap = [speaker('Speaker 1', 'Speaker 2'), speaker('Speaker 2', 'Speaker 1')];
    const { memory: corrected } = apply(made(1, ...swap));
    assert.match(corrected.transcript, /^Speaker 2: Milk\.\nSpeaker 1: Speaker 1: which/);
  });

  it('that does not exist leaves everything as it is', () => {
    const { memory: same, read, applied, idle } = apply(made(1, speaker('Mira', 'Ann')));
    assert.deepEqual([same, read, applied, idle.length], [TALK, READ, [], 1]);
  });
});

const ANA = { account_id: 'ana', agent: 'test' };

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, writer, gateway } = world;
  world.addAccount('ana', []);
  const api = gateway.as('ana');
  const store = engineOf(database);
  return {
    api,
    rows: (sql: string) => engine.edit(database, sql),
    put: (fields: Partial<Memory> = {}, details = fullDetails({ ...READ })) =>
      writer.memories.putReady([prepareMemory('ana', { ...TALK, ...fields }, details)])[0],
    /** Writes memories with these ids at once. */
    putAll: (ids: readonly string[]) =>
      writer.memories.putReady(
        ids.map((id) => prepareMemory('ana', { ...TALK, id }, fullDetails({ ...READ }))),
      ),
    importOne: () =>
      store.withImport({ isDry: false, isAtomic: false }, async (into) => {
        const details = fullDetails({ ...READ });
        return (await into.put([{ account_id: 'ana', memory: TALK, details }]))[0];
      }),
    putBare: () => writer.memories.putReady([prepareMemory('ana', TALK)])[0],
    delete: (id: string) => writer.memories.delete('ana', id),
    correct: (request: Omit<CorrectionRequest, 'account_id'>) =>
      store.withWriter(({ corrections }) => corrections.correct({ account_id: 'ana', ...request })),
    bin: {
      put: (ids: string[]) => store.withWriter(({ bin }) => bin.put({ ...ANA, ids })),
      restore: (ids: string[]) => store.withWriter(({ bin }) => bin.restore({ ...ANA, ids })),
    },
    list: () => store.withWriter(({ corrections }) => corrections.list('ana')),
    verify: async () => (await store.verify()).findings,
    state: async (id = 'one') => ({
      memory: await api.memories.get({ memory_id: id }),
      details: await api.memories.details({ memory_id: id }),
      body: engine
        .edit(database, `SELECT body_sha256 FROM memories WHERE id = '${id}'`)
        .map((row) => row['body_sha256']),
    }),
  };
}

/** More ids than one transaction has memories. */
const MANY = Array.from({ length: 230 }, (_, i) => `m${i}`);

const RENAME = { memory_id: 'one', corrections: [speaker('Speaker 1', 'Ann')] };

describe('A memory that is put right', () => {
  it('is served with new bytes, and its details list what was changed', async (t) => {
    const { put, correct, state } = await createAna(t);
    put();
    const before = await state();
    const result = await correct({
      memory_id: 'one',
      corrections: [
        { field: 'name', old: null, new: 'Milk' },
        { field: 'started_at', old: null, new: '2026-11-19T10:00:00.000Z' },
        speaker('Speaker 1', 'Ann'),
      ],
    });
    assert.deepEqual(result, { changed: ['one'], idle: [], removed: 0 });
    const { memory: corrected, details, body } = await state();
    assert.notDeepEqual(body, before.body);
    assert.deepEqual(corrected, {
      ...before.memory,
      name: 'Milk',
      started_at: '2026-11-19T10:00:00.000Z',
      ended_at: '2026-11-19T10:30:00.000Z',
      transcript: 'Ann: Milk.\nSpeaker 2: Speaker 1: which one?\n(a door)\nAnn: Oat.',
    });
    assert.deepEqual(details.corrections, [
      { field: 'name', from: 'Talk', to: 'Milk' },
      {
        field: 'started_at',
        from: '2026-11-18T09:00:00.000Z',
        to: '2026-11-19T10:00:00.000Z',
      },
      { field: 'speaker', from: 'Speaker 1', to: 'Ann' },
    ]);
    assert.deepEqual(details.original, before.details.original);
    assert.deepEqual(details.source, before.details.source);
  });

  it('is an upsert in the feed, and found by its new words and people', async (t) => {
    const { put, correct, api } = await createAna(t);
    put();
    const { next } = await api.changes.page();
    await correct(RENAME);
    const { items } = await api.changes.page({ since: next });
    assert.deepEqual(
      items.map(({ memory_id, change }) => [memory_id, change]),
      [['one', 'upsert']],
    );
    assert.equal((await api.memories.list({ q: 'ann' })).length, 1);
    assert.deepEqual((await api.people.list()).map(({ name }) => name).toSorted(), [
      'Ann',
      'Speaker 2',
    ]);
  });

  it('has its first bytes and details again after a reset', async (t) => {
    const { put, correct, state, rows, verify } = await createAna(t);
    put();
    const before = await state();
    await correct(RENAME);
    assert.deepEqual(await verify(), []);
    assert.equal((await correct({ memory_id: 'one', corrections: [], removed: 'own' })).removed, 1);
    assert.deepEqual(await state(), before);
    assert.deepEqual(rows('SELECT memory_id FROM uncorrected'), []);
    assert.deepEqual(await verify(), []);
  });

  it('stays put right when it is imported again, as it was and changed', async (t) => {
    const { put, correct, state } = await createAna(t);
    put();
    await correct(RENAME);
    const corrected = await state();
    assert.equal(put(), 'unchanged');
    assert.deepEqual(await state(), corrected);
    assert.equal(put({ transcript: 'Speaker 1: Rice.' }), 'updated');
    assert.equal((await state()).memory.transcript, 'Ann: Rice.');
    await correct({ memory_id: 'one', corrections: [], removed: 'own' });
    assert.equal((await state()).memory.transcript, 'Speaker 1: Rice.');
  });

  for (const memory_id of ['one', undefined])
    it(`has the name of the last edit after its speaker was renamed there, back and there${memory_id ? '' : ' in all memories'}`, async (t) => {
      const { put, correct, state } = await createAna(t);
      put();
      const names = ['Speaker 1', 'Ann', 'Speaker 1', 'Ann', 'Speaker 1', 'Bea'];
      for (const [i, to] of names.entries()) {
        const from = names[i - 1];
        if (from === undefined) continue;
        const { changed } = await correct({ memory_id, corrections: [speaker(from, to)] });
        assert.deepEqual(changed, ['one'], `${from} to ${to}`);
        assert.equal((await state()).memory.transcript.split(':')[0], to);
        const again = await correct({ memory_id, corrections: [speaker(from, to)] });
        assert.deepEqual([again.changed, again.removed], [[], 0], 'the same request again');
      }
    });

  it('is stored as it was imported only while corrections change it', async (t) => {
    const { importOne, correct, state, rows } = await createAna(t);
    const kept = () => rows('SELECT memory_id FROM uncorrected').map((row) => row['memory_id']);
    assert.equal(await importOne(), 'added');
    assert.deepEqual(kept(), []);
    await correct(RENAME);
    assert.equal(await importOne(), 'unchanged');
    assert.deepEqual(kept(), ['one']);
    assert.match((await state()).memory.transcript, /^Ann: Milk/);
  });

  it('keeps a correction for a speaker whom a later import no longer has, and says so', async (t) => {
    const { put, correct, list, state } = await createAna(t);
    put();
    await correct(RENAME);
    put({ transcript: 'Mira: Rice.' }, fullDetails({ people: [person('Mira')] }));
    assert.equal((await state()).memory.transcript, 'Mira: Rice.');
    assert.deepEqual((await state()).details.corrections, []);
    assert.deepEqual(
      (await list()).map(({ old, isIdle }) => [old, isIdle]),
      [['Speaker 1', true]],
    );
    put();
    assert.match((await state()).memory.transcript, /^Ann: Milk/);
  });

  it('of which nothing else is known can be put right twice, and reset', async (t) => {
    const { putBare, correct, state } = await createAna(t);
    putBare();
    const before = await state();
    await correct(RENAME);
    const { changed } = await correct({ corrections: [speaker('Ann', 'Anna')] });
    assert.deepEqual(changed, ['one']);
    assert.match((await state()).memory.transcript, /^Anna: Milk/);
    assert.equal(putBare(), 'unchanged');
    await correct({ memory_id: 'one', corrections: [], removed: 'own' });
    assert.deepEqual(await state(), before);
  });

  it('takes its corrections with it when it is deleted', async (t) => {
    const { put, correct, list, rows, ...ana } = await createAna(t);
    put();
    await correct(RENAME);
    ana.delete('one');
    assert.deepEqual(await list(), []);
    assert.deepEqual(rows('SELECT memory_id FROM uncorrected'), []);
  });

  it('comes back from the bin put right, and can still be reset', async (t) => {
    const { put, correct, bin, state, verify } = await createAna(t);
    put();
    const before = await state();
    await correct(RENAME);
    const corrected = await state();
    await bin.put(['one']);
    assert.deepEqual(await verify(), []);
    await bin.restore(['one']);
    assert.deepEqual(await state(), corrected);
    await correct({ memory_id: 'one', corrections: [], removed: 'own' });
    assert.deepEqual(await state(), before);
    assert.deepEqual(await verify(), []);
  });

  it('ends with the year 9999 if it is moved there, so that its times are still valid', async (t) => {
    const { put, correct, state } = await createAna(t);
    put();
    const started_at = '9999-12-31T23:59:59.000Z';
    await correct({
      memory_id: 'one',
      corrections: [{ field: 'started_at', old: null, new: started_at }],
    });
    const { memory: moved } = await state();
    assert.deepEqual([moved.started_at, moved.ended_at], [started_at, '9999-12-31T23:59:59.999Z']);
    assert.ok(v.is(Memory, moved));
  });

  it('is not changed by a dry run', async (t) => {
    const { put, correct, list, state } = await createAna(t);
    put();
    const before = await state();
    assert.deepEqual((await correct({ ...RENAME, isDry: true })).changed, ['one']);
    assert.deepEqual([await state(), await list()], [before, []]);
  });

  it('that does not exist, or is damaged, is refused with one sentence', async (t) => {
    const { put, correct, list, rows } = await createAna(t);
    await assert.rejects(correct(RENAME), /^Refusal: There is no memory one in account ana;/);
    put();
    rows(`UPDATE details SET body_sha256 = '${'0'.repeat(64)}'`);
    await assert.rejects(correct(RENAME), /is damaged, so nothing was put right; find the damage/);
    assert.deepEqual(await list(), []);
  });
});

describe('A person who is renamed in all memories', () => {
  it('has the new name in each of them, and in later imports', async (t) => {
    const { put, correct, state } = await createAna(t);
    put({ id: 'one' });
    put({ id: 'two' });
    put({ id: 'other', transcript: 'Bo: No.' }, fullDetails({ people: [person('Bo')] }));
    const { changed } = await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    assert.deepEqual(changed, ['one', 'two']);
    put({ id: 'later' });
    for (const id of ['one', 'two', 'later'])
      assert.match((await state(id)).memory.transcript, /^Ann: Milk/, id);
  });

  it('has the old name again when the edit is taken back', async (t) => {
    const { put, correct, list, state } = await createAna(t);
    put();
    const before = await state();
    await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    const removed = (await list()).map(({ id }) => id);
    assert.deepEqual((await correct({ corrections: [], removed })).changed, ['one']);
    assert.deepEqual(await state(), before);
  });

  it('has in memories from the bin the name of now, whatever was edited meanwhile', async (t) => {
    const { put, correct, bin, list, rows, state, verify } = await createAna(t);
    put({ id: 'one' });
    put({ id: 'two' });
    const names = async () =>
      Promise.all(
        ['one', 'two'].map(async (id) => {
          const found = await state(id);
          return [found.memory.transcript.split(':', 1)[0], found.details.people[0]?.name].join();
        }),
      );
    await bin.put(['one']);
    await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    await bin.restore(['one']);
    assert.deepEqual(await names(), ['Ann,Ann', 'Ann,Ann']);
    await bin.put(['one']);
    const removed = (await list()).map(({ id }) => id);
    assert.deepEqual((await correct({ corrections: [], removed })).changed, ['two']);
    await bin.restore(['one']);
    assert.deepEqual(await names(), ['Speaker 1,Speaker 1', 'Speaker 1,Speaker 1']);
    assert.deepEqual([rows('SELECT * FROM uncorrected'), await verify()], [[], []]);
  });

  it('comes back from the bin as it was if nobody knows what was imported', async (t) => {
    const { put, correct, bin, rows, state } = await createAna(t);
    put();
    await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    const corrected = await state();
    await bin.put(['one']);
    rows(`UPDATE uncorrected SET sha256 = '${'0'.repeat(64)}'`);
    await bin.restore(['one']);
    assert.deepEqual(await state(), corrected);
  });

  it('is renamed in more memories than one transaction has', async (t) => {
    const { putAll, correct, rows } = await createAna(t);
    putAll(MANY);
    const { changed } = await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    assert.equal(changed.length, 230);
    const names = rows(`SELECT name, memories FROM facet_totals WHERE folded = 'ann'`);
    assert.deepEqual(
      names.map(({ name, memories }) => [name, Number(memories)]),
      [['Ann', 230]],
    );
  });

  for (const { change, corrections, name } of [
    { change: 'taking back', corrections: [], name: 'Speaker 1' },
    { change: 'replacing', corrections: [speaker('Speaker 1', 'Bea')], name: 'Bea' },
  ])
    it(`has one name everywhere after ${change} an edit was killed halfway and is repeated`, async (t) => {
      const { api, putAll, correct, list } = await createAna(t);
      putAll(MANY);
      await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
      const removed = corrections.length === 0 ? (await list()).map(({ id }) => id) : undefined;
      const onProgress = (memories: number) => {
        if (memories === 100) throw new Error('killed');
      };
      await assert.rejects(correct({ corrections, removed, onProgress }), /^Error: killed$/);
      const { changed } = await correct({ corrections, removed });
      assert.equal(changed.length, 130);
      const found: string[] = [];
      for await (const { id, transcript } of api.memories.each()) {
        assert.equal(transcript.split(':')[0], name, id);
        found.push(id);
      }
      assert.deepEqual(found.toSorted(), MANY.toSorted());
      assert.deepEqual(
        (await list()).map((each) => each.new),
        corrections.map((each) => each.new),
      );
    });

  it('has the old name after the edit is taken back, also if it was imported between two transactions', async (t) => {
    const { put, putAll, importOne, delete: remove, correct, list, state } = await createAna(t);
    put();
    putAll(MANY.map((id) => `z${id}`));
    const { memory: before } = await state();
    await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    const removed = (await list()).map(({ id }) => id);
    remove('one');
    const onProgress = async (memories: number) => {
      if (memories === 100) await importOne();
    };
    await correct({ corrections: [], removed, onProgress });
    assert.deepEqual(await list(), []);
    const { memory: now, details } = await state();
    assert.deepEqual(now, before);
    assert.deepEqual(details.corrections, []);
  });

  it('gets the name of a later edit of the same speaker', async (t) => {
    const { put, correct, list, state } = await createAna(t);
    put();
    await correct({ corrections: [speaker('Speaker 1', 'Ann')] });
    await correct({ corrections: [speaker('speaker 1', 'Bea')] });
    assert.match((await state()).memory.transcript, /^Bea: Milk/);
    assert.equal((await list()).length, 1);
  });
});
