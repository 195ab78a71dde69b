// Paths and methods: which exist, which do not, and which are refused before a lookup.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { SCHEMA_VERSION } from '../../src/store/sqlite/migrations.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { assertAlways, assertFailure, comparable } from '../support/wire/response-shape.ts';
import { readAnswers, exchange, send, sendRaw } from '../support/wire/wire.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

function raw(world: World, target: string, key: string, method = 'GET') {
  return sendRaw(
    world.port,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
  );
}

async function createOne(t: Parameters<typeof createWorld>[0]) {
  const world = await createWorld(t);
  return { world, key: world.addAccount('ana', [memory({ id: 'one-1' })]) };
}

describe('A path', () => {
  it('is matched byte by byte: all others are 404 with a fixed text', async (t) => {
    const { world, key } = await createOne(t);
    const nothing = [
      '/v1',
      '/v1/',
      '/v1/memories/',
      '/v1/memoriesx',
      '/v1/Memories',
      '/v1/memories/one-1/',
      '/v1/memories/one-1/x',
      '/v1//memories',
      '/v1/mem%6fries',
      '/v1/../v1/memories',
      '/v1/./memories',
      '/v1/%2e%2e/memories',
      '/v1/memories//one-1',
      '/v1/memories;x=1',
      '/v1?x=1',
      '/v1/changes/',
      '/v1/changes/a',
      '/v1/Changes',
    ];
    const first = await raw(world, '/v1/nothing', key);
    assertFailure(first, 404);
    for (const target of nothing) {
      assert.deepEqual(comparable(await raw(world, target, key)), comparable(first), target);
    }
  });

  it('with a malformed id is 422 before a lookup', async (t) => {
    let lookUps = 0;
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        memory: (...args) => {
          lookUps++;
          return store.memory(...args);
        },
      }),
    });
    const key = world.addAccount('ana', [memory({ id: 'one-1' })]);
    const malformed = ['%', '%00', 'a%2fb', '..', 'a+b', '{id}', 'one-1*', 'a'.repeat(129)];
    for (const id of malformed) {
      const detail = assertFailure(await raw(world, `/v1/memories/${id}`, key), 422, id);
      assert.match(detail, /"memory_id" takes 1 to 128/);
    }
    assert.equal(lookUps, 0);
    for (const id of ['one-1', 'one%2D1', '%6Fne-1'])
      assert.equal((await raw(world, `/v1/memories/${id}`, key)).status, 200, id);
    for (const id of ['a'.repeat(128), 'ONE-1', '~', '...', '_'])
      assertFailure(await raw(world, `/v1/memories/${id}`, key), 404, id);
  });
});

describe('A method', () => {
  it('other than GET and HEAD is 405 with Allow, checked before the id', async (t) => {
    const { world, key } = await createOne(t);
    for (const method of [
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'QUERY',
      'PROPFIND',
      'OPTIONS',
      'TRACE',
    ]) {
      for (const target of [
        '/v1/memories',
        '/v1/memories/one-1',
        '/v1/memories/%zz',
        '/v1/changes',
        '/healthz',
        '/readyz',
      ]) {
        const answer = await raw(world, target, key, method);
        assertFailure(answer, 405, `${method} ${target}`);
        assert.equal(answer.headers['allow'], 'GET, HEAD');
      }
      assertFailure(await raw(world, '/v1/nothing', key, method), 404, method);
    }
    assertFailure(await raw(world, '*', key, 'OPTIONS'), 404);
  });

  it('is not changed by an override header', async (t) => {
    const { world, key } = await createOne(t);
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'POST' };
    assert.equal((await send(world.port, { key, headers })).status, 200);
  });

  it('HEAD has the status and headers of GET and no body', async (t) => {
    const { world, key } = await createOne(t);
    world.addAccount(
      'big',
      Array.from({ length: 10 }, (_, i) => memory({ id: `${i}`, transcript: 'x'.repeat(50_000) })),
    );
    const big = world.addKey('big').key;
    for (const [path, held] of [
      ['/v1/memories', key],
      ['/v1/memories?limit=1', big],
      ['/v1/memories', big],
      ['/v1/memories/one-1', key],
      ['/v1/memories/none', key],
      ['/v1/memories/%zz', key],
      ['/v1/memories', 'bad'],
      ['/v1/nothing', key],
      ['/healthz', key],
      ['/readyz', key],
      ['/', key],
    ] as const) {
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': encoding, 'x-api-key': held };
        const get = comparable(await send(world.port, { path, headers }));
        const head = comparable(await send(world.port, { path, headers, method: 'HEAD' }));
        assert.deepEqual(head, { ...get, text: '' }, `${path} ${encoding}`);
      }
    }
  });

  it('HEAD keeps pipelined responses in order', async (t) => {
    const { world, key } = await createOne(t);
    for (const { id } of memories(10))
      world.writer.memories.put('ana', memory({ id, transcript: 'x'.repeat(50_000) }));
    const line = (method: string, path: string, end = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${end}\r\n`;
    for (const path of ['/v1/memories', '/v1/memories/one-1']) {
      const second = line('GET', '/v1/memories/one-1', 'Connection: close\r\n');
      const text = await exchange(world.port, line('HEAD', path) + second);
      const [head, get] = text.split(/(?<=\r\n\r\n)(?=HTTP)/);
      assert.match(head ?? '', /^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
      const [answer] = readAnswers(get ?? '', second);
      assert.equal(JSON.parse(answer?.text ?? '').id, 'one-1', path);
    }
  });
});

describe('A health check', () => {
  it('needs no key and reveals nothing about accounts', async (t) => {
    const { world } = await createOne(t);
    const health = await send(world.port, { path: '/healthz' });
    assert.deepEqual([health.status, health.text], [200, '{"status":"up"}']);
    assertAlways(health);
    const ready = await send(world.port, { path: '/readyz?x=1' });
    assert.deepEqual([ready.status, ready.text], [200, '{"status":"ready"}']);
  });

  it('/readyz is 503 if the store fails or the gateway shuts down, and /healthz is not', async (t) => {
    let broken = true;
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        check() {
          if (broken) throw new Error('SQLITE_CORRUPT');
          return store.check();
        },
      }),
    });
    assertFailure(await send(world.port, { path: '/readyz' }), 503);
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
    broken = false;
    assert.equal((await send(world.port, { path: '/readyz' })).status, 200);
    world.gateway.drain();
    const draining = await send(world.port, {
      path: '/readyz',
      headers: { connection: 'keep-alive' },
    });
    assert.match(assertFailure(draining, 503), /shutting down/);
    assert.equal(draining.headers['connection'], 'close');
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
  });

  it('/readyz is 503 after the schema was changed, and 200 after it was changed back', async (t) => {
    const { world } = await createOne(t);
    const edit = (onPostgres: string, onFile: string) =>
      engine.edit(world.database, onlyFiles ? onPostgres : onFile);
    edit(
      `INSERT INTO schema_versions (version, name) VALUES (99, '0099-later.sql')`,
      'PRAGMA user_version = 99',
    );
    assertFailure(await send(world.port, { path: '/readyz' }), 503);
    edit(
      'DELETE FROM schema_versions WHERE version = 99',
      `PRAGMA user_version = ${SCHEMA_VERSION}`,
    );
    assert.equal((await send(world.port, { path: '/readyz' })).status, 200);
  });
});
