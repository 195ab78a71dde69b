// Scopes of keys in the store: what a key may read is stored with it, and read back on both engines.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { NO_SCOPE, scopeOf, toScopeColumns, type Scope } from '../../src/store/scope.ts';
import { engine, openAny } from '../support/engines/engine.ts';
import { createWorld } from '../support/world/world.ts';

const scopes: readonly Scope[] = [
  { ...NO_SCOPE, reads: 'summaries' },
  { ...NO_SCOPE, started_after: -1 },
  { ...NO_SCOPE, started_before: 1_795_000_000_000 },
  { ...NO_SCOPE, source: 'limitless' },
  { ...NO_SCOPE, tags: ['work'] },
  {
    reads: 'summaries',
    started_after: 1_794_000_000_000,
    started_before: 1_795_000_000_000,
    source: 'Fireflies.ai',
    tags: ['Straße, "9"', '東京', '\u{1F600}'],
  },
];

describe('A key', () => {
  it('has the scope that it was created with, also in its successor', async (t) => {
    const world = await createWorld(t);
    const plain = world.addAccount('ana');
    const store = await openAny(world.database);
    t.after(() => store.close());
    const scopeOfKey = async (key: string) => {
      const found = await store.apiKey(hashApiKey(key));
      assert.ok(found);
      return found.scope;
    };
    assert.equal(await scopeOfKey(plain), undefined);
    for (const scope of scopes) {
      const { id, key } = world.addKey('ana', null, scope);
      assert.deepEqual(await scopeOfKey(key), scope);
      const record = world.writer.keys.get(id);
      assert.deepEqual(scopeOf(record), scope);
      for (const grace of [60_000, 0]) {
        const rotated = world.writer.keys.rotate(id, grace);
        assert.deepEqual(await scopeOfKey(rotated.key), scope, `grace of ${grace} ms`);
      }
    }
  });

  it('cannot be stored with a scope that does not exist, or a window that ends before it starts', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    for (const column of [
      "reads = 'titles'",
      'started_after = 5, started_before = 5',
      "source = ''",
      `tags = '"work"'`,
    ])
      assert.throws(() => engine.edit(world.database, `UPDATE api_keys SET ${column}`), /check/i);
  });
});

describe('A scope that somebody has written into the database by hand', () => {
  const columns = toScopeColumns();
  const DAMAGED = { name: 'Refusal', code: 'damaged', message: /^What an API key or a client/ };

  it('is refused if it is unknown: less than all there is would look like all', () => {
    assert.equal(scopeOf(columns), undefined);
    assert.throws(() => scopeOf({ ...columns, reads: 'titles' as 'all' }), DAMAGED);
  });

  it('is refused if its tags are no list of names', () => {
    for (const tags of ['', 'work', '"work"', '{"0":"work"}', '[1]', '["work",null]'])
      assert.throws(() => scopeOf({ ...columns, tags }), DAMAGED, tags);
  });
});
