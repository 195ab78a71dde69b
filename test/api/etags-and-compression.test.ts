// ETags, 304 responses and compression.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';

import { andThen } from '../../src/lib/async.ts';
import { UNPACK } from '../support/wire/openapi-check.ts';
import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

describe('An etag', () => {
  it('of a memory is the SHA-256 of its bytes, and gets 304 without a read', async (t) => {
    const bodies: unknown[] = [];
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        memory: (...args) =>
          andThen(store.memory(...args), (found) => {
            bodies.push(found?.bytes);
            return found;
          }),
      }),
      cacheBytes: 0,
    });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const path = '/v1/memories/one';
    const first = await send(world.port, { path, key });
    const etag = String(first.headers['etag']);
    assert.equal(etag, `"${createHash('sha256').update(first.body).digest('hex')}"`);
    const again = (value: string) =>
      send(world.port, { path, key, headers: { 'if-none-match': value } });

    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, ` ${etag} `, `${etag},W/"y"`, '*']) {
      const answer = await again(value);
      assert.equal(answer.status, 304, value);
      assert.equal(answer.headers['etag'], etag);
      assert.equal(answer.body.length, 0);
      assert.equal(answer.headers['content-type'], undefined);
      assertAlways(answer);
    }
    bodies.length = 0;
    await again(etag);
    assert.deepEqual(bodies, [null], 'the body stays on disk');

    const other = etag.replace(/.(?="$)/, (char) => (char === '0' ? '1' : '0'));
    for (const value of [
      '"x"',
      etag.slice(1, -1),
      other,
      `"${etag}"`,
      'junk',
      '',
      '**',
      `${etag.slice(0, -1)}-gzip"`,
    ]) {
      assert.equal((await again(value)).status, 200, value);
    }
  });

  it('is compared only after the key and the owner: no 304 reveals a memory of another account', async (t) => {
    const world = await createWorld(t);
    const ana = world.addAccount('ana', [memory({ id: 'one' })]);
    const bo = world.addAccount('bo');
    const path = '/v1/memories/one';
    const etag = String((await send(world.port, { path, key: ana })).headers['etag']);
    for (const value of [etag, '*']) {
      assertFailure(
        await send(world.port, { path, key: bo, headers: { 'if-none-match': value } }),
        404,
      );
      assertFailure(await send(world.port, { path, headers: { 'if-none-match': value } }), 401);
    }
    const bad = { path: '/v1/memories?limit=x', key: ana, headers: { 'if-none-match': '*' } };
    assertFailure(await send(world.port, bad), 422);
  });
});

describe('Compression', () => {
  it('is used if the client accepts it and it saves bytes, with an etag of its own', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [
      memory({ id: 'small' }),
      memory({ id: 'large', transcript: 'Mira: äöü 😀.\n'.repeat(200) }),
      ...memories(100, 10_000),
    ]);
    const etags = new Set<string>();
    for (const path of ['/v1/memories/large', '/v1/memories?limit=2', '/v1/memories']) {
      const plain = await send(world.port, { path, key });
      assert.equal(plain.headers['content-encoding'], undefined);
      for (const coding of ['zstd', 'br', 'gzip']) {
        const answer = await send(world.port, {
          path,
          key,
          headers: { 'accept-encoding': coding },
        });
        assert.equal(answer.headers['content-encoding'], coding, path);
        assert.ok(answer.body.length < plain.body.length / 2);
        assert.deepEqual(UNPACK[coding]?.(answer.body), plain.body, `${path} ${coding}`);
        if (answer.headers['content-length'])
          assert.equal(answer.headers['content-length'], String(answer.body.length));
        assertAlways(answer);
        const etag = String(answer.headers['etag']);
        etags.add(etag);
        const headers = { 'accept-encoding': coding, 'if-none-match': etag };
        const again = await send(world.port, { path, key, headers });
        assert.deepEqual([again.status, again.headers['etag']], [304, etag]);
        const held = { ...headers, 'if-none-match': String(plain.headers['etag']) };
        assert.equal(
          (await send(world.port, { path, key, headers: held })).status,
          304,
          'an uncompressed copy is as good',
        );
        const elsewhere = { 'if-none-match': etag };
        assert.equal(
          (await send(world.port, { path, key, headers: elsewhere })).status,
          200,
          'an encoding that the client does not accept',
        );
      }
      etags.add(String(plain.headers['etag']));
    }
    assert.equal(etags.size, 12);
    const small = await send(world.port, {
      path: '/v1/memories/small',
      key,
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(small.headers['content-encoding'], undefined, 'below 1 kB');
    assert.ok(small.body.length < 1024);
  });

  it('is chosen by the weights of the client, then by speed', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'large', transcript: 'x'.repeat(5000) })]);
    for (const [accept, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, br', 'br'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['GZIP', 'gzip'],
      ['*', 'zstd'],
      ['zstd;q=0, *', 'br'],
      ['gzip;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['foo', undefined],
      ['', undefined],
      [';;,,q=', undefined],
    ] as const) {
      const headers = { 'accept-encoding': accept };
      const answer = await send(world.port, { path: '/v1/memories/large', key, headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-encoding'], coding, accept);
    }
  });
});
