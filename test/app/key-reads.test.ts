// What keys have read lately: paths and times for 30 days, nothing of their contents, and only if the operator wants it.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createKeyUse } from '../../src/app/server/key-use.ts';
import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import type { CredentialRead } from '../../src/store/app/connect/connect-store.ts';
import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { AGENT, createApp, DAY, setClock } from '../support/world/app-store.ts';
import { issued } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');

/** Opens the store with a key of `ana`. */
async function createKey(t: TestContext) {
  const world = await createApp(t);
  const wanted = { account_id: 'ana', agent: AGENT, label: 'laptop', expires_at: null };
  const { id, key } = await world.app.keys.create(wanted);
  issued(key);
  const credential = hashApiKey(key);
  const note = (reads: readonly Omit<CredentialRead, 'credential'>[]) =>
    world.app.keys.recordUse(
      new Map([[credential, NOW]]),
      reads.map((each) => ({ ...each, credential })),
    );
  const list = () => world.app.keys.reads({ account_id: 'ana', id });
  return { ...world, id, note, list };
}

describe('What a key has read', () => {
  it('is kept as paths without their queries, for its owner only', async (t) => {
    const { port, keys, gateway, withStore, signIn } = await createAppWorld(t, {
      app: { keyLog: true },
    });
    const get = (path: string) => send(port, { key: keys.ana, path });
    for (const path of [
      '/v1/memories?q=divorce&limit=1',
      '/v1/memories?q=illness',
      '/v1/memories/one',
      '/v1/search?q=secret',
    ])
      await get(path);
    const call = async (name: string, args: object) => {
      const params = { name, arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      await send(port, { key: keys.ana, path: '/mcp', method: 'POST', headers, body });
    };
    await call('search', { query: 'secret' });
    await call('fetch', { id: 'one#L1' });
    await call('check_quote', { id: 'my secret', quote: 'illness' });
    await send(port, { path: '/v1/memories/unknown', key: `${keys.ana}x` });
    const ana = await signIn();
    const bo = await signIn('bo');
    const [{ id } = {}] = listOf(await ana.get('/keys'));
    assert.equal(jsonOf(await ana.get('/me'))['records_reads'], true);
    const now = listOf(await ana.get(`/keys/${String(id)}/reads`));
    assert.equal(now.length, 6, 'also what is not written yet');
    assertFailure(await bo.get(`/keys/${String(id)}/reads`), 404, '', NO_STORE);
    await gateway.close(); // writes what is gathered
    const found = await withStore((store) =>
      store.keys.reads({ account_id: 'ana', id: String(id) }),
    );
    assert.deepEqual(found?.map(({ path, count }) => [path, count]).toSorted(), [
      ['/mcp check_quote', 1],
      ['/mcp fetch memory://one', 1],
      ['/mcp search', 1],
      ['/v1/memories', 2],
      ['/v1/memories/one', 1],
      ['/v1/search', 1],
    ]);
  });

  it('is not kept unless the operator wants it', async (t) => {
    const { port, keys, gateway, withStore, signIn } = await createAppWorld(t);
    await send(port, { key: keys.ana });
    const ana = await signIn();
    const [{ id } = {}] = listOf(await ana.get('/keys'));
    assert.equal(jsonOf(await ana.get('/me'))['records_reads'], false);
    await gateway.close();
    const [key] = await withStore((store) => store.keys.list('ana'));
    assert.notEqual(key?.last_used_at, null, 'the last use is');
    assert.deepEqual(
      await withStore((store) => store.keys.reads({ account_id: 'ana', id: String(id) })),
      [],
    );
  });

  it('is gathered by key: 100 paths of 200 characters, however many there are', async () => {
    const written: CredentialRead[] = [];
    const uses = createKeyUse(
      (_, reads) => void written.push(...reads),
      () => assert.fail(),
      true,
    );
    for (let n = 0; n < 1000; n++) uses.note('loud', n, `/v1/memories/${n}`.padEnd(400, 'x'));
    uses.note('loud', 1000, '/v1/memories/1'.padEnd(400, 'x'));
    uses.note('quiet', 5, '/v1/memories');
    await uses.close();
    const loud = written.filter(({ credential }) => credential === 'loud');
    assert.equal(loud.length, 100);
    assert.ok(loud.every(({ path }) => path.length === 200));
    assert.deepEqual(
      loud.filter(({ count }) => count > 1).map(({ last_at, count }) => [last_at, count]),
      [[1000, 2]],
    );
    assert.deepEqual(written.at(-1), {
      credential: 'quiet',
      path: '/v1/memories',
      last_at: 5,
      count: 1,
    });
  });

  it('adds up, latest first, and ends after 30 days', async (t) => {
    setClock(t, NOW);
    const { note, list, app, id, signIn } = await createKey(t);
    await note([
      { path: '/v1/memories', last_at: NOW - 30 * DAY - 1, count: 5 },
      { path: '/v1/days', last_at: NOW - 30 * DAY, count: 2 },
    ]);
    await note([{ path: '/v1/people', last_at: NOW - DAY, count: 1 }]);
    await note([{ path: '/v1/days', last_at: NOW, count: 3 }]);
    await note([{ path: '/v1/days', last_at: NOW - DAY, count: 1 }]); // of a slower process
    assert.deepEqual(await list(), [
      { path: '/v1/days', last_at: NOW, count: 6 },
      { path: '/v1/people', last_at: NOW - DAY, count: 1 },
    ]);
    assert.equal(await app.keys.reads({ account_id: 'bo', id }), undefined);
    setClock(t, NOW + 31 * DAY);
    assert.deepEqual(await list(), [], 'also if nothing has removed it yet');
    await signIn(); // removes what is too old
    setClock(t, NOW);
    assert.deepEqual(await list(), []);
  });

  it('is 1,000 paths at most', async (t) => {
    setClock(t, NOW);
    const { note, list } = await createKey(t);
    for (let part = 0; part < 12; part++)
      await note(
        Array.from({ length: 100 }, (_, n) => {
          const at = part * 100 + n;
          return { path: `/v1/memories/${at}`, last_at: NOW + at, count: 1 };
        }),
      );
    const found = await list();
    assert.equal(found?.length, 1000);
    assert.deepEqual(
      [found.at(0)?.path, found.at(-1)?.path],
      ['/v1/memories/1199', '/v1/memories/200'],
    );
  });

  it('is printed by keys reads', async (t) => {
    const { note, database, id } = await createKey(t);
    await note([{ path: '/v1/memories', last_at: Date.now(), count: 3 }]);
    const of = (key: string) => run(['keys', 'reads', key, '--database', database]);
    const { stdout, code } = await of(id);
    assert.equal(code, 0);
    assert.match(stdout, /^LAST +TIMES +PATH\n\S+ \S+ +3 +\/v1\/memories\n$/);
    const unknown = await of('unknown');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /There is no key unknown/);
  });
});
