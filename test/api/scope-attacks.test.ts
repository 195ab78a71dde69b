// Attempts to read what the scope of a key hides: by conditions, forged cursors, spellings, other paths and other surfaces.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { feedCursor, listCursor, searchCursor } from '../../src/gateway/endpoints/cursor.ts';
import { itemsCursor } from '../../src/gateway/endpoints/details/action-items.ts';
import { peopleCursor } from '../../src/gateway/endpoints/details/people.ts';
import { createAppWorld } from '../support/app/app-world.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { ids, linksOf } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import {
  createTwins,
  HIDDEN,
  MIDDLE,
  SECRET,
  seen,
  twinKinds,
  type TwinKind,
} from '../support/world/twins.ts';
import { createWorld, memory } from '../support/world/world.ts';

const [summaries] = twinKinds as [TwinKind];
const DAY = 86_400_000;

/** Ids with a transcript, in the window, outside of it, and of no memory. */
const IDS = ['m3', 'in1', 'out1', 'out3', 'nowhere'];
const PARTS = [
  '',
  '?fields=name',
  '?fields=transcript',
  '?fields=id,summary',
  '/lines',
  '/details',
  '/original',
  '/audio',
  '/lines?times=true',
];

async function createScoped(t: TestContext, kind: TwinKind) {
  const world = await createWorld(t);
  const { scoped, whole } = createTwins(world, kind);
  const isScoped = kind.scope.reads === 'summaries';
  const get = async (path: string, headers: Record<string, string> = {}) =>
    send(world.port, { path, key: scoped[0], headers, isScoped });
  const getAll = async (path: string, headers: Record<string, string> = {}) =>
    send(world.port, { path, key: whole[0], headers });
  return { get, getAll };
}

for (const kind of twinKinds)
  describe(`A key with ${kind.name} learns nothing`, () => {
    it('by the ETags of a key that reads everything, or by a condition that any ETag meets', async (t) => {
      const { get, getAll } = await createScoped(t, kind);
      let conditions = 0;
      for (const id of IDS)
        for (const part of PARTS)
          for (const encoding of ['identity', 'gzip']) {
            const path = `/v1/memories/${id}${part}`;
            const { etag } = (await getAll(path, { 'accept-encoding': encoding })).headers;
            const plain = await get(path);
            for (const condition of ['*', etag ?? '"x"', `W/${etag ?? '"x"'}`]) {
              const answer = await get(path, {
                'accept-encoding': encoding,
                'if-none-match': condition,
              });
              assert.doesNotMatch(answer.text, HIDDEN, path);
              // An ETag may be current only for those who may read what it stands for.
              if (plain.status === 200) continue;
              assert.deepEqual(seen(answer), seen(plain), `${path} ${condition}`);
              conditions++;
            }
          }
      assert.ok(conditions > 50, `${conditions} conditions`);
    });

    it('by cursors that it writes itself', async (t) => {
      const { get, getAll } = await createScoped(t, kind);
      const hidden = kind === summaries ? 'm3' : 'out1';
      const after = { skip: 0, score: 1e9, started_at: 8.64e15, id: 'zzz', from: 0 };
      const wide = { started_after: MIDDLE - 900 * DAY, started_before: MIDDLE + 900 * DAY };
      const forged = [
        `/v1/memories?cursor=${listCursor({ order: 'desc', fields: ['id', 'transcript'] })}`,
        `/v1/memories?cursor=${listCursor({ order: 'asc', ...wide, q: SECRET })}`,
        `/v1/memories?cursor=${listCursor({ order: 'asc', after: { started_at: 0, id: 'a' } })}`,
        `/v1/memories?cursor=${listCursor({ order: 'desc', after: { started_at: 8.64e15, id: 'z' }, limit: 1000 })}`,
        `/v1/search?cursor=${searchCursor({ q: `${SECRET} zeppelin`, ...wide, limit: 100 })}`,
        `/v1/search?cursor=${searchCursor({ q: SECRET, memory_id: hidden, limit: 100 })}`,
        `/v1/search?cursor=${searchCursor({ q: `"${SECRET}"`, after, limit: 100 })}`,
        `/v1/search?cursor=${searchCursor({ q: 'roses mira', after, limit: 100, max_tokens: 20_000 })}`,
        `/v1/memories?cursor=${listCursor({ order: 'asc', facets: [{ kind: 'tag', folded: SECRET }] })}`,
        `/v1/search?cursor=${searchCursor({ q: 'roses', facets: [{ kind: 'source', folded: 'omi' }] })}`,
        `/v1/people?cursor=${peopleCursor({ q: 'zep', ...wide })}`,
        `/v1/action_items?cursor=${itemsCursor({ owner: 'mira', ...wide })}`,
      ];
      let shown = 0;
      for (const path of forged) {
        const answer = await get(path);
        assert.ok([200, 403, 404].includes(answer.status), `${path} ${answer.text}`);
        assert.doesNotMatch(answer.text.replaceAll(/"absent_words":\[[^\]]*\]/g, ''), HIDDEN, path);
        assert.doesNotMatch(
          answer.text,
          kind.scope.reads === 'all' ? /"out\d"/ : /"transcript":|"out\d"/,
          path,
        );
        if (HIDDEN.test((await getAll(path)).text)) shown++;
      }
      assert.ok(shown >= 4, `${shown} show hidden words to a key without a scope`);
      // A position in the feed has to name the epoch of its change.
      const epoch = '0'.repeat(36);
      for (const seq of [1, 2, 5]) {
        const position = { seq, epoch, latest: { seq, epoch } };
        for (const order of ['asc', 'desc'] as const) {
          const name = order === 'asc' ? 'since' : 'cursor';
          const path = `/v1/changes?${name}=${feedCursor({ order }, position)}`;
          assert.equal((await get(path)).status, 410, path);
        }
      }
    });

    it('by spellings of parameters, paths and headers', async (t) => {
      const { get, getAll } = await createScoped(t, kind);
      const id = kind === summaries ? 'm3' : 'out1';
      const targets = [
        `/v1/memories/${id}?fields=Transcript`,
        `/v1/memories/${id}?fields=summary&fields=transcript`,
        `/v1/memories/${id}?fields=%74ranscript`,
        `/v1/memories/${id}?fields=transcript%20`,
        `/v1/memories/${id}?fields=transcript%00`,
        `/v1/memories/${id}?fields=id,transcript,id`,
        `/v1/memories/${id}?fields=*`,
        `/v1/memories/${id}?fields=`,
        `/v1/memories/${id}?reads=all`,
        `/v1/memories/${id}?scope=all`,
        `/v1/memories/${id}/transcript`,
        `/v1/memories/${id}/markdown`,
        `/v1/memories/${id}.md`,
        `/v1/memories/${id}/lines/`,
        `/v1/memories/${id}%2Flines`,
        `/v1/memories//${id}`,
        `/v1//memories/${id}`,
        `/v1/../v1/memories/${id}/lines`,
        `/v1/memories/x/../${id}/lines`,
        `/v1/memories/${id}/lines?fields=text`,
        `/v1/memories/${id}/lines?first=1&last=1&max_tokens=100`,
        `/V1/memories/${id}/lines`,
        `/v1/memories?fields=name,transcript&limit=1`,
        `/v1/memories?order=transcript`,
        `/v1/search?q=${SECRET}&fields=transcript`,
        `/v1/search?q=${SECRET}&source=transcript`,
        `/v1/changes?fields=transcript`,
        `/app/v1/memories/${id}`,
        `/app/v1/memories/${id}/lines`,
        `/app/v1/memories/${id}/markdown`,
        `/v1/memories?tag=${SECRET}`,
        `/v1/memories?tag=work&tag=${SECRET}`,
        `/v1/memories?tags=work&source=omi`,
        `/v1/memories?source=*`,
        `/v1/memories?source=limitless,omi`,
        `/v1/memories?source=%25`,
        `/v1/people?tag=${SECRET}`,
        `/v1/people?q=zeppelin`,
        `/v1/tags?source=omi`,
        `/v1/memories/${id}/original?tag=work`,
        `/v1/memories/${id}/audio`,
        `/export`,
      ];
      const headers = [
        {},
        { accept: 'text/markdown' },
        { accept: 'text/event-stream' },
        { range: 'bytes=0-10000' },
        { 'x-http-method-override': 'POST', 'x-original-url': `/v1/memories/${id}/lines` },
        { fields: 'transcript' },
        { 'x-scope': 'all', scope: 'all' },
        { prefer: 'return=representation' },
        { 'content-type': 'application/json' },
      ];
      for (const path of targets)
        for (const header of headers) {
          const { status, text } = await get(path, header);
          const told = text.replaceAll(/"absent_words":\[[^\]]*\]/g, '');
          assert.doesNotMatch(told, HIDDEN, `${path} ${JSON.stringify(header)} ${status}`);
        }
      // The same words are there for a key that may read them.
      assert.match((await getAll(`/v1/memories/${id}/lines`)).text, HIDDEN);
    });
  });

describe('A key with a scope, of many memories', () => {
  const from = MIDDLE - 80 * 3_600_000;
  const before = MIDDLE - 20 * 3_600_000;
  const bounds = `started_after=${new Date(from).toISOString()}&started_before=${new Date(before).toISOString()}`;
  const fields =
    'fields=id,name,started_at,ended_at,is_processing,user_id,duration_seconds,summary';
  const window = { started_after: from, started_before: before };
  const none = { started_after: null, started_before: null };

  it('gets the bytes that a key without a scope gets if it asks for no more', async (t) => {
    const world = await createWorld(t);
    const whole = world.addAccount(
      'ana',
      Array.from({ length: 330 }, (_, i) =>
        memory({
          id: `m${i}`,
          started_at: new Date(MIDDLE - Math.floor(i / 3) * 3_600_000).toISOString(),
          is_processing: i % 7 === 0,
          summary:
            i % 7 === 0
              ? { quick_summary: '', key_takeaways: [] }
              : { quick_summary: 'Roses. '.repeat(i % 11 === 0 ? 3000 : 10), key_takeaways: ['x'] },
          transcript: `Mira: Line ${i}.\n`.repeat(i % 50),
        }),
      ),
    );
    for (const [scope, same, isScoped] of [
      [{ reads: 'summaries', ...none }, fields, true],
      [{ reads: 'all', ...window }, bounds, false],
      [{ reads: 'summaries', ...window }, `${fields}&${bounds}`, true],
    ] as const) {
      const { key } = world.addKey('ana', null, scope);
      for (const query of [
        '',
        'limit=300',
        'limit=7',
        'order=asc&limit=50',
        'is_processing=true',
      ]) {
        let mine: string | undefined = `/v1/memories?${query}`;
        let theirs: string | undefined = `/v1/memories?${[query, same].filter(Boolean).join('&')}`;
        let count = 0;
        while (mine !== undefined && theirs !== undefined) {
          const scoped = await send(world.port, { path: mine, key, isScoped });
          const plain = await send(world.port, { path: theirs, key: whole });
          assert.ok(scoped.text === plain.text, mine);
          count += ids(scoped).length;
          [mine, theirs] = [linksOf(scoped)['next'], linksOf(plain)['next']];
          assert.equal(mine === undefined, theirs === undefined, query);
        }
        assert.ok(count > 20, query);
      }
      const days = await send(world.port, { path: '/v1/days?timezone=Asia/Tokyo', key });
      const within = scope.started_after === null ? '' : `&${bounds}`;
      const path = `/v1/days?timezone=Asia/Tokyo${within}`;
      assert.equal(days.text, (await send(world.port, { path, key: whole })).text);
    }
  });

  it(
    'gets the same 404 of one statement for a memory outside, also if its row is lost',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const whole = world.addAccount('ana', [memory({ id: 'a' }), memory({ id: 'b' })]);
      const { key } = world.addKey('ana', null, { reads: 'all', ...window });
      engine.edit(
        world.database,
        "DROP TRIGGER memories_deleted; DELETE FROM memories WHERE id = 'a'",
      );
      const of = async (id: string, by: string) =>
        send(world.port, { path: `/v1/memories/${id}`, key: by });
      // The feed has the memory and the database has not: a key without a window is told so.
      assert.equal((await of('a', whole)).status, 500);
      const absent = seen(await of('nowhere', key));
      assert.equal(absent.status, 404);
      for (const id of ['a', 'b']) assert.deepEqual(seen(await of(id, key)), absent);
    },
  );
});

describe('A key for summaries, of many memories', () => {
  /** 700 memories, in three batches of summaries, whose transcripts all have the secret. */
  async function createMany(t: TestContext) {
    const world = await createWorld(t);
    world.addAccount(
      'ana',
      Array.from({ length: 700 }, (_, i) =>
        memory({
          id: `m${String(i).padStart(3, '0')}`,
          started_at: new Date(MIDDLE - i * 3_600_000).toISOString(),
          summary: { quick_summary: i === 650 ? 'Tulips.' : 'Roses.', key_takeaways: [] },
          transcript: `Mira: The ${SECRET}, tulips and number ${i}.`,
        }),
      ),
    );
    const scope = { reads: 'summaries', started_after: null, started_before: null } as const;
    const { key } = world.addKey('ana', null, scope);
    const get = async (path: string) => send(world.port, { path, key, isScoped: true });
    return { get };
  }

  it('finds what names and summaries say, in any batch, and nothing else', async (t) => {
    const { get } = await createMany(t);
    assert.deepEqual(ids(await get('/v1/memories?q=tulips')), ['m650']);
    assert.deepEqual(ids(await get('/v1/memories?q=tulips&limit=1&order=asc')), ['m650']);
    assert.deepEqual(ids(await get(`/v1/memories?q=${SECRET}`)), []);
    assert.equal(ids(await get('/v1/memories?q=roses')).length, 699);
    assert.equal(ids(await get('/v1/memories')).length, 700);
    const found: string[] = [];
    for (let path: string | undefined = '/v1/memories?q=roses&limit=300'; path !== undefined;) {
      const page = await get(path);
      assert.doesNotMatch(page.text, HIDDEN);
      found.push(...ids(page));
      path = linksOf(page)['next'];
    }
    assert.equal(new Set(found).size, 699);
    assert.equal(found.length, 699);
    for (const [q, count] of [
      ['tulips', 1],
      ['roses', 699],
      [SECRET, 0],
    ] as const) {
      const { text } = await get(`/v1/search?q=${q}`);
      const { memories_found, memories_searched, absent_words } = JSON.parse(text);
      assert.deepEqual([memories_found, memories_searched], [count, 700], q);
      assert.deepEqual(absent_words, count === 0 ? [q] : []);
    }
  });
});

describe('The app', () => {
  it('takes no key, whatever its scope', async (t) => {
    const { port, writer } = await createAppWorld(t);
    for (const each of [summaries.scope, undefined]) {
      const made = { account_id: 'ana', label: 'a', expires_at: null, scope: each };
      const { key } = writer.keys.create(made);
      for (const path of ['/memories', '/memories/one/lines', '/memories/one/markdown', '/keys'])
        for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
          const answer = await send(port, { path: `/app/v1${path}`, headers });
          assert.equal(answer.status, 401, path);
        }
      const created = await send(port, {
        method: 'POST',
        path: '/app/v1/keys',
        key,
        headers: {
          origin: `http://127.0.0.1:${port}`,
          'content-type': 'application/json',
        },
        body: '{"label":"x","expires_at":null}',
      });
      assert.equal(created.status, 401);
    }
  });
});
