// Details, people, tags and action items through every entry point, for every scope, and when they are damaged.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { walk } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

const day = (number: number) => `2026-11-${number}T09:00:00.000Z`;

/** Adds three memories of Ana: two with details, one from before there were any. */
function fill({ writer }: World): void {
  const one = (id: string, number: number) =>
    memory({
      id,
      name: id,
      started_at: day(number),
      ended_at: day(number),
      transcript: 'Ana: Hi.',
    });
  writer.memories.putReady([
    prepareMemory('ana', one('a', 11), fullDetails()),
    prepareMemory(
      'ana',
      one('b', 12),
      fullDetails({
        people: [person('ÁNA')],
        tags: [{ name: 'work', kind: 'tag' }],
        action_items: [
          { text: 'Call Bo', owner: 'ana', due: '2026-11-20', done: true, line: null },
          { text: 'Rest', owner: null, due: null, done: null, line: 1 },
        ],
      }),
    ),
    prepareMemory('ana', one('c', 13)),
  ]);
}

for (const entryPoint of entryPoints)
  describe(`Details by ${entryPoint.name}`, () => {
    it('are what the import read, and empty for a memory without them', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', []);
      fill(world);
      const { memories } = entryPoint.open(world, key);
      const details = await memories.details({ memory_id: 'a' });
      assert.deepEqual(Object.keys(details), [
        'memory_id',
        'source',
        'language',
        'line_starts_ms',
        'audio',
        'people',
        'tags',
        'chapters',
        'action_items',
        'corrections',
        'original',
      ]);
      assert.deepEqual([details.memory_id, details.line_starts_ms], ['a', [0]]);
      assert.deepEqual(details.source.product, 'limitless');
      assert.deepEqual(details.original?.bytes, 'original'.length);
      const none = await memories.details({ memory_id: 'c' });
      assert.deepEqual([none.memory_id, none.people, none.original], ['c', [], null]);
      await assert.rejects(memories.details({ memory_id: 'nowhere' }), { status: 404 });
    });

    it('add up to people, tags and action items', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', []);
      fill(world);
      const api = entryPoint.open(world, key);
      const people = await api.people.list();
      assert.deepEqual(people, [
        {
          name: 'ÁNA',
          memories: 2,
          lines: 2,
          words: 20,
          speaking_ms: 1500,
          first_at: day(11),
          last_at: day(12),
        },
        {
          name: 'Henrik',
          memories: 1,
          lines: 1,
          words: 10,
          speaking_ms: null,
          first_at: day(11),
          last_at: day(11),
        },
      ]);
      const pages = [];
      for await (const each of api.people.each({ limit: 1 })) pages.push(each);
      assert.deepEqual(pages, people);
      assert.deepEqual(await api.people.list({ q: 'hén' }), people.slice(1));
      assert.deepEqual(
        (await api.people.list({ started_after: day(12) })).map(({ memories }) => memories),
        [1],
      );
      assert.deepEqual(
        (await api.tags.list()).map(({ name, kind, memories }) => [name, kind, memories].join(' ')),
        ['limitless source 2', 'Work folder 1', 'work tag 1'],
      );
      const texts = async (input: Parameters<typeof api.actionItems.list>[0]) =>
        (await api.actionItems.list(input)).map(({ text }) => text);
      assert.deepEqual(await texts({}), ['Call Bo', 'Rest', 'Buy a fridge']);
      assert.deepEqual(await texts({ done: true }), ['Call Bo']);
      assert.deepEqual(await texts({ done: false }), ['Buy a fridge']);
      assert.deepEqual(await texts({ owner: 'ANA' }), ['Call Bo']);
      assert.deepEqual(await texts({ started_before: day(12) }), ['Buy a fridge']);
      const items = [];
      for await (const each of api.actionItems.each({ limit: 1 })) items.push(each.text);
      assert.deepEqual(items, ['Call Bo', 'Rest', 'Buy a fridge']);
    });
  });

describe('A key with a scope', () => {
  it('for summaries gets no times and numbers of lines, and no hash of an original', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', []);
    fill(world);
    const scope = { reads: 'summaries', started_after: null, started_before: null } as const;
    const api = world.gateway.as('ana', scope);
    const details = await api.memories.details({ memory_id: 'a' });
    assert.deepEqual([details.line_starts_ms, details.original, details.audio], [null, null, null]);
    assert.deepEqual(
      [...details.chapters, ...details.action_items].map(({ line }) => line),
      [null, null],
    );
    assert.deepEqual(
      (await api.actionItems.list()).map(({ line }) => line),
      [null, null, null],
    );
  });

  it('for a window gets no details, people, tags and items from outside of it', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', []);
    fill(world);
    const window = { started_after: Date.parse(day(12)), started_before: null };
    const api = world.gateway.as('ana', { reads: 'all', ...window });
    await assert.rejects(api.memories.details({ memory_id: 'a' }), { status: 404 });
    assert.deepEqual(
      (await api.people.list()).map(({ name, memories }) => [name, memories]),
      [['ÁNA', 1]],
    );
    assert.deepEqual(
      (await api.tags.list()).map(({ kind }) => kind),
      ['source', 'tag'],
    );
    assert.deepEqual(
      (await api.actionItems.list()).map(({ text }) => text),
      ['Call Bo', 'Rest'],
    );
  });
});

describe('A page of people or action items', () => {
  it('has a link to the next one that fits into a URL, however long the name is', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    const again = prepareMemory('ana', memory({ id: 'd', transcript: 'Ana: Hi.' }), fullDetails());
    world.writer.memories.putReady([again]);
    for (const filler of ['\v', '\t', '\u0301']) {
      const path = (list: string, text: string) =>
        `/v1/${list}=${encodeURIComponent(text.padEnd(1024, filler))}`;
      assert.equal((await walk({ ...world, key }, path('people?limit=1&q', 'N'))).length, 2);
      assert.equal(
        (await walk({ ...world, key }, path('action_items?limit=1&owner', 'Henrik'))).length,
        2,
      );
    }
  });
});

describe('Damaged details', () => {
  it('are a 500, and the memory is still served', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    engine.edit(
      world.database,
      `UPDATE details SET body_sha256 = '${'0'.repeat(64)}' WHERE memory_id = 'a'`,
    );
    const get = (path: string) => send(world.port, { key, path });
    assert.equal((await get('/v1/memories/a/details')).status, 500);
    assert.equal((await get('/v1/memories/a')).status, 200);
    assert.equal((await get('/v1/memories/b/details')).status, 200);
  });
});
