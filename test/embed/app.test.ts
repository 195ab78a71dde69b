// The app in a larger program: set up without the command line, and served under any prefix.

import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { accounts, importMemories, keys, migrate, openGateway, Refusal } from '../../src/index.ts';
import { engineOf } from '../../src/store/engines.ts';
import { createTestBrowser, jsonOf } from '../support/app/app-world.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { listen } from '../support/world/server-in-process.ts';
import { memory } from '../support/world/world.ts';

/** Sets a database up as a program does. */
async function setUp() {
  const database = join(newFolder(), 'memories.db');
  const { applied } = await migrate(database);
  assert.ok(applied.length > 0);
  const id = await accounts.create(database, { id: 'ana', name: 'Ana' });
  const { key } = await keys.create(database, { account_id: id, label: 'program' });
  const results = await importMemories(database, id, [
    memory({ id: 'one' }),
    memory({ id: 'two' }),
  ]);
  assert.deepEqual(results, ['added', 'added']);
  return { database, key: issued(key) };
}

describe('A program that embeds the gateway', () => {
  it('creates the database, accounts, keys and memories', async (t) => {
    const { database, key } = await setUp();
    const gateway = openGateway({ database });
    t.after(() => gateway.close());
    assert.equal((await gateway.as('ana').memories.list()).length, 2);
    const headers = { authorization: `Bearer ${key}` };
    const response = await gateway.fetch(new Request('http://x/v1/memories', { headers }));
    assert.equal(response.status, 200);
    assert.deepEqual(await importMemories(database, 'ana', [memory({ id: 'one' })]), ['unchanged']);
  });

  it('is told what is wrong, and then nothing is written', async () => {
    const { database } = await setUp();
    const wrong = { ...memory({ id: 'three' }), ended_at: 'yesterday' };
    for (const attempt of [
      () => accounts.create(database, { id: 'ana', name: 'Ana' }),
      () => accounts.create(database, { name: '' }),
      () => keys.create(database, { account_id: 'nobody', label: 'x' }),
      () => keys.create(database, { account_id: 'ana', label: '' }),
      () => importMemories(database, 'nobody', [memory({ id: 'three' })]),
      () => importMemories(database, 'ana', [memory({ id: 'three' }), wrong]),
    ])
      await assert.rejects(attempt, Refusal);
    const gateway = openGateway({ database });
    assert.equal((await gateway.as('ana').memories.list()).length, 2);
    await gateway.close();
  });

  it('has no app unless it wants one', async (t) => {
    const { database } = await setUp();
    const gateway = openGateway({ database });
    t.after(() => gateway.close());
    assert.equal((await gateway.fetch(new Request('http://x/app/'))).status, 404);
  });

  it('serves the app under a prefix, and keeps its own pages, by a listener with "next"', async (t) => {
    const { database } = await setUp();
    const gateway = openGateway({ database, app: {}, baseUrl: '/recordings' });
    t.after(() => gateway.close());
    const server = createHttpServer((request, response) =>
      gateway.listener(request, response, () => response.end('the host')),
    );
    const port = await listen(t, server);
    const prefix = '/recordings';
    for (const path of ['/', '/other', '/recordings/other'])
      assert.equal((await send(port, { path })).text, 'the host', path);
    // A host that got it would see the key, and might echo it.
    assert.equal((await send(port, { path: '/recordings/mcp', method: 'POST' })).status, 401);
    const opened = createTestBrowser({ port, prefix });
    const store = await engineOf(database).openApp();
    const { secret } = await store.links.create('ana', 'test');
    await store.close();
    const answer = await opened.post('/sessions', { way: 'link', secret: issued(secret) });
    assert.match(String(answer.headers['set-cookie']), /; Path=\/recordings\/app;/);
    assert.equal((await opened.get('/memories/one')).status, 200);
    assert.equal(
      jsonOf(await opened.get('/me'))['api_url'],
      `http://127.0.0.1:${port}/recordings/v1`,
    );
  });

  it('serves the app through fetch, with the account of its own session', async (t) => {
    const { database } = await setUp();
    const accountOf = (request: object) =>
      request instanceof Request ? (request.headers.get('x-user') ?? undefined) : undefined;
    const gateway = openGateway({ database, app: { accountOf } });
    t.after(() => gateway.close());
    const ask = (path: string, init: RequestInit = {}) =>
      gateway.fetch(new Request(`https://host.example/app/v1${path}`, init));
    const mine = { 'x-user': 'ana' };
    assert.equal((await ask('/memories/one', { headers: mine })).status, 200);
    assert.equal((await ask('/memories/one')).status, 401);
    const body = JSON.stringify({ label: 'x', expires_at: null });
    const headers = { ...mine, 'content-type': 'application/json' };
    const own = { ...headers, origin: 'https://host.example' };
    const foreign = { ...headers, origin: 'http://host.example' };
    assert.equal((await ask('/keys', { method: 'POST', headers: foreign, body })).status, 403);
    const made = await ask('/keys', { method: 'POST', headers: own, body });
    assert.equal(made.status, 200);
    const { key } = (await made.json()) as { key: string };
    issued(key);
    const page = await gateway.fetch(new Request('https://host.example/app/'));
    assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin');
  });
});
