// Scopes by source and tags: which memories such a key reads, and what happens when these change.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import type { Scope } from '../../src/store/scope.ts';
import { ids, linksOf } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

interface Given {
  readonly id: string;
  readonly product: string;
  readonly tags: readonly string[];
  readonly transcript?: string;
}

/** Writes a memory of a day, as an import does. */
function put(
  { writer }: World,
  { id, product, tags, transcript = 'Ana: The fridge.' }: Given,
  at = 1,
) {
  const started_at = new Date(Date.UTC(2026, 10, at, 9)).toISOString();
  const details = fullDetails({
    source: { product, format: product, id: null, url: null },
    people: [person(`Friend ${id}`)],
    tags: tags.map((name) => ({ name, kind: 'tag' as const })),
    action_items: [{ text: `Call ${id}`, owner: null, due: null, done: null, line: 1 }],
  });
  const made = memory({ id, name: id, started_at, ended_at: started_at, transcript });
  writer.memories.putReady([prepareMemory('ana', made, details)]);
}

const TAGS = ['work', 'home'];

/** Every combination of a product with tags. */
const GIVEN: readonly Given[] = ['limitless', 'omi'].flatMap((product) =>
  [[], ['work'], ['home'], ['work', 'home']].map((tags) => ({
    id: [product, ...tags].join('-'),
    product,
    tags,
  })),
);

/** Creates an account with all of these, and one memory without details. */
async function createGiven(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana', [memory({ id: 'plain', transcript: 'Ana: The fridge.' })]);
  for (const [i, given] of GIVEN.entries()) put(world, given, i + 1);
  const open = (scope: Partial<Scope>) => {
    const { key } = world.addKey('ana', null, scope);
    const isScoped = scope.reads === 'summaries';
    return async (path: string, headers: Record<string, string> = {}) =>
      send(world.port, { path: `/v1/${path}`, key, headers, isScoped });
  };
  return { world, open };
}

/** The scopes, each with the memories that it leaves. */
const SCOPES: readonly [scope: Partial<Scope>, has: (given: Given) => boolean][] = [
  [{ source: 'Limitless' }, ({ product }) => product === 'limitless'],
  [{ tags: ['WORK'] }, ({ tags }) => tags.includes('work')],
  [{ tags: ['work', 'hóme'] }, ({ tags }) => tags.length === 2],
  [
    { source: 'omi', tags: ['home'] },
    ({ product, tags }) => product === 'omi' && tags.includes('home'),
  ],
  [
    { tags: ['home'], started_before: Date.UTC(2026, 10, 5) },
    ({ product, tags }) => product === 'limitless' && tags.includes('home'),
  ],
  [{ source: 'limit' }, () => false],
  [{ tags: ['work', 'nowhere'] }, () => false],
  [{ tags: [''] }, () => false],
];

describe('A key with a source and tags', () => {
  it('reads the memories that have all of them, wherever they are listed, counted or named', async (t) => {
    const { open } = await createGiven(t);
    for (const [scope, has] of SCOPES) {
      const get = open(scope);
      const name = JSON.stringify(scope);
      const expected = GIVEN.filter(has).map(({ id }) => id);
      const jsonOf = async (path: string) => JSON.parse((await get(path)).text);
      const namesOf = async (path: string) =>
        (await jsonOf(path)).map((each: { name: string }) => each.name).toSorted();
      assert.deepEqual(ids(await get('memories?order=asc')), expected, name);
      assert.deepEqual(ids(await get('memories?order=asc&q=fridge')), expected, name);
      assert.deepEqual(ids(await get('memories?order=asc&is_processing=false')), expected, name);
      const { memories_searched, memories_found } = await jsonOf('search?q=fridge');
      assert.deepEqual([memories_searched, memories_found], [expected.length, expected.length]);
      assert.equal((await jsonOf('days')).length, expected.length, name);
      assert.deepEqual(
        (await jsonOf('changes')).map((each: { memory_id: string }) => each.memory_id),
        expected,
        name,
      );
      const friends = expected.map((id) => `Friend ${id}`);
      assert.deepEqual(await namesOf('people'), friends.toSorted(), name);
      assert.deepEqual(await namesOf('action_items'), expected.toSorted(), name);
      const used = GIVEN.filter(has).flatMap(({ product, tags }) => [product, ...tags]);
      assert.deepEqual(await namesOf('tags'), [...new Set(used)].toSorted(), name);
      for (const { id } of [...GIVEN, { id: 'plain' }])
        for (const part of ['', '/lines', '/details', '/original']) {
          const { status } = await get(`memories/${id}${part}`);
          assert.equal(status, expected.includes(id) ? 200 : 404, `${name} ${id}${part}`);
        }
    }
  });

  it('is narrowed by its own filters, also if it reads summaries alone', async (t) => {
    const { open } = await createGiven(t);
    for (const reads of ['all', 'summaries'] as const) {
      const get = open({ reads, source: 'omi' });
      const fields = reads === 'all' ? '' : '&fields=name,id';
      for (const tag of TAGS) {
        const expected = GIVEN.filter((each) => each.product === 'omi' && each.tags.includes(tag));
        const found = await get(`memories?order=asc&tag=${tag}${fields}`);
        assert.deepEqual(
          ids(found),
          expected.map(({ id }) => id),
        );
        const q = reads === 'all' ? 'fridge' : 'omi';
        const { memories_searched, memories_found } = JSON.parse(
          (await get(`search?q=${q}&tag=${tag}`)).text,
        );
        assert.deepEqual([memories_searched, memories_found], [2, 2], `${reads} ${tag}`);
        assert.deepEqual(ids(await get(`memories?source=limitless&tag=${tag}${fields}`)), []);
      }
    }
  });

  it('gets suggestions from its own memories, however many words the others have', async (t) => {
    const { world, open } = await createGiven(t);
    put(world, { id: 'mine', product: 'omi', tags: [], transcript: 'Ana: The xylophone.' }, 1);
    // More words than a search looks at, in newer memories, and one that is nearer.
    const words = Array.from({ length: 15_000 }, (_, i) => `word${i}`).join(' ');
    const transcript = `Ana: ${words} xylophome`;
    put(world, { id: 'hidden', product: 'limitless', tags: [], transcript }, 20);
    const { text } = await open({ source: 'omi' })('search?q=xylophonr');
    const { absent_words, nearest_words } = JSON.parse(text);
    assert.deepEqual(absent_words, ['xylophonr']);
    assert.deepEqual(nearest_words, { xylophonr: ['xylophone'] });
  });
});

describe('A memory that loses a tag', () => {
  it('is gone for a key with that tag at once, also if the key has it cached or names its ETag', async (t) => {
    const { world, open } = await createGiven(t);
    const get = open({ tags: ['work'] });
    const paths = ['', '/lines', '/details', '/original'].map((part) => `memories/omi-work${part}`);
    const etags = new Map<string, string>();
    for (const path of paths) {
      for (let times = 0; times < 2; times++) {
        const { status, headers } = await get(path);
        assert.equal(status, 200, path);
        etags.set(path, headers['etag'] ?? '');
      }
      const { status } = await get(path, { 'if-none-match': etags.get(path) ?? '' });
      assert.equal(status, 304, path);
    }
    const listed = await get('memories');
    const page = linksOf(await get('memories?limit=1'))['next'] ?? '';
    put(world, { id: 'omi-work', product: 'omi', tags: ['private'] }, 6);
    for (const path of paths)
      for (const condition of [etags.get(path) ?? '', '*'])
        assertFailure(await get(path, { 'if-none-match': condition }), 404, path);
    const after = await get('memories', { 'if-none-match': listed.headers['etag'] ?? '' });
    assert.deepEqual(
      ids(after),
      ids(listed).filter((id) => id !== 'omi-work'),
    );
    const rest = await get(page.replace('/v1/', ''));
    assert.deepEqual(ids(rest), ['limitless-work-home']);
    assert.doesNotMatch((await get('tags')).text, /private/);
    assert.doesNotMatch((await get('search?q=fridge&limit=100')).text, /"omi-work"/);
  });

  it('is not told as deleted to that key, and told as a change when it gets the tag back', async (t) => {
    const { world, open } = await createGiven(t);
    const get = open({ tags: ['work'] });
    const feed = async (path: string) => {
      const answer = await get(path.replace('/v1/', ''));
      const changes = (JSON.parse(answer.text) as { memory_id: string; change: string }[]).map(
        ({ memory_id, change }) => `${change} ${memory_id}`,
      );
      return { changes, next: linksOf(answer)['next'] ?? '' };
    };
    const first = await feed('/v1/changes');
    assert.equal(first.changes.length, 4);
    put(world, { id: 'omi-work', product: 'omi', tags: ['private'] }, 6);
    world.writer.memories.delete('ana', 'limitless-work');
    const second = await feed(first.next);
    assert.deepEqual(second.changes, []);
    put(world, { id: 'omi-work', product: 'omi', tags: ['Work'] }, 6);
    put(world, { id: 'omi', product: 'omi', tags: ['work'] }, 5);
    const third = await feed(second.next);
    assert.deepEqual(third.changes, ['upsert omi-work', 'upsert omi']);
  });
});
