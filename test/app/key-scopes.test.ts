// Scopes of keys in the app: chosen for a new key, kept by its successors, shown in the list, and none for a session.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import * as v from 'valibot';

import { Key, NewKey } from '../../src/app/contract/records.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { ids } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { readDetails } from '../support/world/details.ts';
import { memories } from '../support/world/world.ts';

const NEW = { label: 'scoped', expires_at: null };
const EVERYTHING = {
  reads: 'all',
  started_after: null,
  started_before: null,
  source: null,
  tags: [],
};

/** The scope of a record. */
function scopeOf(key: v.InferOutput<typeof Key>) {
  const { reads, started_after, started_before, source, tags } = key;
  return { reads, started_after, started_before, source, tags };
}

/** Signs in to an account with three memories. */
async function createThree(t: TestContext) {
  const { signIn, port, writer } = await createAppWorld(t);
  writer.memories.delete('ana', 'one');
  const read = readDetails({
    source: { product: 'omi', format: 'omi', id: null, url: null },
    tags: [{ name: 'work', kind: 'tag' }],
  });
  writer.memories.putReady(
    memories(3).map((each, i) => prepareMemory('ana', each, i === 2 ? { read } : undefined)),
  );
  return { opened: await signIn(), port };
}

describe('A key that is made in the app', () => {
  it('reads everything, unless its owner chooses less', async (t) => {
    const { opened, port } = await createThree(t);
    const made = v.parse(NewKey, jsonOf(await opened.post('/keys', NEW)));
    assert.deepEqual(scopeOf(made), EVERYTHING);
    const key = issued(made.key);
    assert.deepEqual(ids(await send(port, { key })), ['m002', 'm001', 'm000']);
    assert.equal((await send(port, { key, path: '/v1/memories/m000/lines' })).status, 200);
  });

  it('has the scope that its owner chooses, and so have its successors and the list', async (t) => {
    const { opened, port } = await createThree(t);
    const [first, second] = await Promise.all(
      ['m000', 'm001'].map(async (id) =>
        String(jsonOf(await opened.get(`/memories/${id}?fields=started_at`))['started_at']),
      ),
    );
    const before = second ?? '';
    const scopes: [scope: object, found: string[], lines: number][] = [
      [{ reads: 'summaries' }, ['m002', 'm001', 'm000'], 403],
      [{ started_before: before }, ['m000'], 200],
      [{ started_after: before }, ['m002', 'm001'], 404],
      [{ reads: 'summaries', started_after: first, started_before: before }, ['m000'], 403],
      [{ source: 'omi' }, ['m002'], 404],
      [{ source: 'OMI', tags: ['Work'] }, ['m002'], 404],
      [{ tags: ['work', 'home'] }, [], 404],
    ];
    for (const [scope, found, lines] of scopes) {
      const expected = { ...EVERYTHING, ...scope };
      const made = v.parse(NewKey, jsonOf(await opened.post('/keys', { ...NEW, ...scope })));
      const rotated = await opened.post(`/keys/${made.id}/rotate`, { grace: 3600 });
      const next = v.parse(NewKey, jsonOf(rotated));
      for (const each of [made, next]) {
        assert.deepEqual(scopeOf(each), expected);
        const key = issued(each.key);
        const path = '/v1/memories?fields=name';
        assert.deepEqual(ids(await send(port, { key, path })), found);
        const part = await send(port, { key, path: '/v1/memories/m000/lines' });
        assert.equal(part.status, lines);
      }
      const list = v.parse(v.array(Key), listOf(await opened.get('/keys')));
      for (const { id } of [made, next]) {
        const listed = list.find((each) => each.id === id);
        assert.deepEqual(listed && scopeOf(listed), expected);
      }
    }
    // The session that made them has no scope.
    assert.equal((await opened.get('/memories/m000/lines')).status, 200);
  });

  it('is not made with a scope that makes no sense', async (t) => {
    const { signIn } = await createAppWorld(t);
    const opened = await signIn();
    const at = '2026-11-18T09:00:00.000Z';
    const count = listOf(await opened.get('/keys')).length;
    for (const [scope, detail] of [
      [{ reads: 'transcripts' }, 'The property "reads" takes all or summaries.'],
      [{ reads: null }, 'The property "reads" takes all or summaries.'],
      [{ source: '' }, 'The property "source" takes a whole name of 1 to 200 characters, or null.'],
      [{ tags: ['work', ' '] }, /"tags/],
      // No database stores them.
      ...['a\0', '\ud800'].flatMap((name) => [
        [{ source: name }, /"source" takes a whole name/] as const,
        [{ tags: ['work', name] }, /"tags/] as const,
      ]),
      [{ tags: Array.from({ length: 11 }, (_, i) => `t${i}`) }, /"tags"/],
      [{ started_after: '2026-11-18' }, /"started_after" takes a UTC time such as/],
      [
        { started_after: at, started_before: at },
        'The property "started_before" takes a time after "started_after".',
      ],
    ] as const) {
      const answer = await opened.post('/keys', { ...NEW, ...scope });
      const said = assertFailure(answer, 422, JSON.stringify(scope), NO_STORE);
      if (typeof detail === 'string') assert.equal(said, detail);
      else assert.match(said, detail);
    }
    assert.equal(listOf(await opened.get('/keys')).length, count);
  });
});
