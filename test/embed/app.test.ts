// The app in a larger program: set up without the command line, and served under any prefix.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

import {
  accounts,
  connectGateway,
  importMemories,
  keys,
  migrate,
  openGateway,
  openTestGateway,
  Refusal,
  type MemoryToImport,
} from '../../src/index.ts';
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
      // What a program without types can pass.
      () => accounts.create(database, undefined as never),
      () => keys.create(database, { account_id: 'ana' } as never),
      () => importMemories(database, 'ana', memory({ id: 'three' }) as never),
    ])
      await assert.rejects(attempt, Refusal);
    for (const [attempt, message] of [
      [
        () => keys.create(database, { account_id: 'Ana', label: 'x' }),
        /^There is no account "Ana"; pass the id ana, because "Ana" is a name\.$/,
      ],
      [
        () => importMemories(database, 'Ana', [memory({ id: 'three' })]),
        /^There is no account "Ana"; pass the id ana, because "Ana" is a name\.$/,
      ],
      [
        () => keys.create(database, { account_id: 'ana', label: 'x', expires: 'never' } as never),
        /it has a property "expires", which is not known/,
      ],
      [
        () => keys.create(database, { account_id: 'ana', label: '' }),
        /its "label" must be 1 to 200 characters on one line/,
      ],
      [
        () =>
          importMemories(database, 'ana', [
            memory({ id: 'three' }),
            { id: 'four', started_at: 'soon', transcript: '' },
          ]),
        /^memories\[1\] \("four"\): its start time cannot be read: "soon"\. Nothing was imported\.$/,
      ],
      [
        () => importMemories(database, 'ana', [{ id: 'five' } as never]),
        /^memories\[0\] \("five"\): it has no started_at and no transcript\. Nothing/,
      ],
      [
        () => importMemories(database, 'ana', [{ ...memory({ id: 'six' }), nam: 'x' } as never]),
        /^memories\[0\] \("six"\): it has a property "nam", which is not known\. Did you mean "name"\? Nothing was imported\.$/,
      ],
      [
        () =>
          importMemories(database, 'ana', [
            { ...memory({ id: 'six' }), summary: { key_takeaway: [] } } as never,
          ]),
        /property "key_takeaway", which is not known\. Did you mean "key_takeaways"\?/,
      ],
      [
        () => importMemories(database, 'ana', [{ ...memory({ id: 'six' }), zebra: 1 } as never]),
        /it has a property "zebra", which is not known\. Nothing was imported\.$/,
      ],
    ] as const)
      await assert.rejects(attempt, { name: 'Refusal', message });
    const gateway = openGateway({ database });
    assert.equal((await gateway.as('ana').memories.list()).length, 2);
    await gateway.close();
  });

  it('takes what the command import takes: three fields, offsets, dates, and seconds with a fraction', async (t) => {
    const { database } = await setUp();
    const started_at = '2026-11-20T10:00:00+01:00';
    await importMemories(database, 'ana', [
      { id: 'few', started_at, transcript: 'Ines: Garlic.' },
      { id: 'date', started_at: new Date(0), transcript: '', duration_seconds: 1.5 },
    ]);
    const gateway = openGateway({ database });
    t.after(() => gateway.close());
    const of = (memory_id: string) => gateway.as('ana').memories.get({ memory_id });
    assert.deepEqual(await of('few'), {
      id: 'few',
      name: '',
      started_at: '2026-11-20T09:00:00.000Z',
      ended_at: '2026-11-20T09:00:00.000Z',
      is_processing: false,
      user_id: 'ana',
      duration_seconds: 0,
      summary: { quick_summary: '', key_takeaways: [] },
      transcript: 'Ines: Garlic.',
    });
    const { ended_at, duration_seconds } = await of('date');
    assert.deepEqual([ended_at, duration_seconds], ['1970-01-01T00:00:01.500Z', 2]);
  });

  it('is told that a name of no path is no database, and then there is no file of that name', async () => {
    for (const name of [
      ':memory:',
      'file:x.db',
      'file::memory:?cache=shared',
      'sqlite:x.db',
      '',
      undefined,
    ])
      for (const attempt of [
        async () => migrate(name as string),
        async () => openGateway({ database: name as string }),
        async () => connectGateway({ database: name as string }),
      ])
        await assert.rejects(attempt, Refusal, name);
    for (const name of [':memory:', 'file:x.db', 'sqlite:x.db']) assert.ok(!existsSync(name), name);
  });

  it('gets a gateway for a test, of which nothing stays', async () => {
    const one: MemoryToImport = { id: 'one', started_at: new Date(), transcript: 'Ines: Garlic.' };
    const first = await openTestGateway({ memories: [one], baseUrl: '/x' });
    const second = await openTestGateway();
    const { gateway, account_id, database } = first;
    const headers = { authorization: `Bearer ${issued(first.key)}` };
    const request = new Request('http://x/x/v1/memories?fields=id', { headers });
    assert.equal(await (await gateway.fetch(request)).text(), '[{"id":"one"}]');
    assert.deepEqual(await second.gateway.as(account_id).memories.list(), []);
    await importMemories(database, account_id, [{ ...one, id: 'two' }]);
    assert.equal((await gateway.as(account_id).memories.list()).length, 2);
    for (const { close } of [first, second]) await close();
    for (const each of [first, second]) assert.ok(!existsSync(dirname(each.database)));
    await assert.rejects(openTestGateway({ memories: [{ id: 'x' } as never] }), Refusal);
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
