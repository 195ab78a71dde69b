// Details and originals: written with their memory, summed up, and gone with it.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { GivenDetails } from '../../src/store/details/details-row.ts';
import { engineOf } from '../../src/store/engines.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { createWorld, memory } from '../support/world/world.ts';

const NO_ROWS = { originals: 0, details: 0, facets: 0, facet_totals: 0, action_items: 0 };

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, writer, gateway } = world;
  world.addAccount('ana', []);
  return {
    writer,
    api: gateway.as('ana'),
    verify: async () => (await engineOf(database).verify()).findings,
    put: (fields: { id: string; started_at?: string; name?: string }, details?: GivenDetails) => {
      const one = memory({ transcript: 'Ana: Quokkas.', ...fields });
      return writer.memories.putReady([prepareMemory('ana', one, details)])[0];
    },
    rows: (sql: string) => engine.edit(database, sql),
    counts: () => {
      const tables = Object.keys(NO_ROWS);
      return Object.fromEntries(
        tables.map((table) => [
          table,
          Number(engine.edit(database, `SELECT count(*) AS n FROM ${table}`)[0]?.['n']),
        ]),
      );
    },
    totals: () =>
      engine
        .edit(database, 'SELECT * FROM facet_totals ORDER BY kind, folded')
        .map(({ kind, folded, memories, lines, speaking_ms, timed }) =>
          [kind, folded, memories, lines, speaking_ms, timed].join(' '),
        ),
  };
}

describe('Details of a memory', () => {
  it('are written with it, and writing the same changes nothing', async (t) => {
    const { put, counts, rows } = await createAna(t);
    assert.equal(put({ id: 'one' }, fullDetails()), 'added');
    const before = counts();
    assert.deepEqual(before, {
      originals: 1,
      details: 1,
      facets: 4,
      facet_totals: 4,
      action_items: 1,
    });
    const feed = rows('SELECT * FROM changes');
    assert.equal(put({ id: 'one' }, fullDetails()), 'unchanged');
    assert.equal(put({ id: 'one' }, fullDetails({}, 'the same, written otherwise')), 'unchanged');
    assert.equal(put({ id: 'one' }), 'unchanged');
    assert.deepEqual([counts(), rows('SELECT * FROM changes')], [before, feed]);
  });

  it('that are new are a change of the memory in the feed, although its bytes are the same', async (t) => {
    const { put, rows } = await createAna(t);
    put({ id: 'one' });
    put({ id: 'two' });
    const [before] = rows(`SELECT revision FROM accounts`);
    assert.equal(put({ id: 'one' }, fullDetails()), 'updated');
    const feed = rows('SELECT memory_id, change FROM changes ORDER BY seq');
    assert.deepEqual(
      feed.map(({ memory_id, change }) => [memory_id, change].join(' ')),
      ['two upsert', 'one upsert'],
    );
    assert.notDeepEqual(rows(`SELECT revision FROM accounts`)[0], before);
  });

  it('are replaced with their people, tags and original', async (t) => {
    const { put, counts, totals, rows } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    const next = { people: [person('Bo', { lines: 3 })], tags: [], action_items: [] };
    assert.equal(put({ id: 'one' }, fullDetails(next, 'another')), 'updated');
    assert.deepEqual(counts(), {
      originals: 1,
      details: 1,
      facets: 2,
      facet_totals: 2,
      action_items: 0,
    });
    assert.deepEqual(totals(), ['person bo 1 3 0 0', 'source limitless 1 0 0 0']);
    assert.equal(Number(rows('SELECT bytes FROM originals')[0]?.['bytes']), 'another'.length);
  });

  it('go when the memory changes and nothing is known of the new one', async (t) => {
    const { put, counts } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    assert.equal(put({ id: 'one', name: 'Other' }), 'updated');
    assert.deepEqual(counts(), NO_ROWS);
  });

  it('stay when an import knows only a part of the memory', async (t) => {
    const { put, totals } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    const before = totals();
    put({ id: 'one', name: 'Other' }, { ...fullDetails({ people: [] }), yields: 'always' });
    assert.deepEqual(totals(), before);
  });

  it('start when the memory does, also if they stay', async (t) => {
    const { put, api, rows, verify } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    const started_at = '2026-11-16T08:00:00.000Z';
    put({ id: 'one', started_at }, { ...fullDetails({ people: [] }), yields: 'always' });
    const found = await api.memories.list({ person: ['Henrik'] });
    assert.deepEqual(
      found.map(({ id }) => id),
      ['one'],
    );
    const people = await api.people.list();
    assert.deepEqual(
      people.map(({ first_at, last_at }) => [first_at, last_at]),
      people.map(() => [started_at, started_at]),
    );
    assert.deepEqual(
      (await api.actionItems.list()).map((item) => item.started_at),
      [started_at],
    );
    assert.deepEqual(await verify(), []);
    rows('UPDATE facets SET started_at = started_at + 1');
    const [finding] = await verify();
    assert.match(finding ?? '', /^The details of memory one of account ana have another start/);
  });

  it('go with the memory, but an original that two memories share goes with the last', async (t) => {
    const { put, writer, counts } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    put({ id: 'two' }, fullDetails());
    assert.deepEqual([counts()['originals'], counts()['details']], [1, 2]);
    writer.memories.delete('ana', 'one');
    assert.deepEqual([counts()['originals'], counts()['details']], [1, 1]);
    writer.memories.delete('ana', 'two');
    assert.deepEqual(counts(), NO_ROWS);
  });

  it('go with the account', async (t) => {
    const { put, writer, counts } = await createAna(t);
    put({ id: 'one' }, fullDetails());
    writer.eraseAccount('ana');
    assert.deepEqual(counts(), NO_ROWS);
  });
});

describe('The totals of people, tags and sources', () => {
  it('are the sums over all memories, with the first and the last time', async (t) => {
    const { put, writer, totals, rows } = await createAna(t);
    const times = () =>
      rows(`SELECT first_at, last_at, name FROM facet_totals WHERE folded = 'ana'`).map(
        ({ first_at, last_at, name }) => [
          new Date(Number(first_at)).getUTCDate(),
          new Date(Number(last_at)).getUTCDate(),
          name,
        ],
      );
    for (const [id, day, name] of [
      ['b', 12, 'ANA'],
      ['a', 11, 'Ana'],
      ['c', 13, 'Ána'],
    ] as const)
      put(
        { id, started_at: `2026-11-${day}T09:00:00.000Z` },
        fullDetails({ people: [person(name, { speaking_ms: id === 'a' ? null : 500 })], tags: [] }),
      );
    assert.deepEqual(totals(), ['person ana 3 3 1000 2', 'source limitless 3 0 0 0']);
    assert.deepEqual(times(), [[11, 13, 'Ána']]);
    writer.memories.delete('ana', 'c');
    assert.deepEqual(totals(), ['person ana 2 2 500 1', 'source limitless 2 0 0 0']);
    assert.deepEqual(times()[0]?.slice(0, 2), [11, 12]);
    writer.memories.delete('ana', 'a');
    assert.deepEqual(times()[0]?.slice(0, 2), [12, 12]);
  });
});
