// Cross-origin reads: none by default; for named origins alone when asked for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createServerOn } from './support/serving.ts';
import { assertFailure } from './support/shape.ts';
import { send, type WireAnswer } from './support/wire.ts';
import { createWorld, memories } from './support/world.ts';

const PAGE = 'https://app.example';
const asks = {
  origin: PAGE,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

function corsOf({ headers }: WireAnswer): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

describe('Without named origins', () => {
  it('no answer has a CORS header, and a preflight is 401 like all that comes without a key', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    assert.deepEqual(corsOf(await send(world.port, { key, headers: { origin: PAGE } })), []);
    const preflight = await send(world.port, { method: 'OPTIONS', headers: asks });
    assertFailure(preflight, 401);
    assert.deepEqual(corsOf(preflight), []);
  });
});

describe('With a named origin', () => {
  it('its pages may ask and read, failures too; others may not', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(2000, 1000));
    const { port } = await createServerOn(t, world.database, {
      allowOrigins: ['http://localhost:3000', PAGE],
    });

    const preflight = await send(port, { method: 'OPTIONS', headers: asks });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], PAGE);
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD');
    assert.match(
      preflight.headers['access-control-allow-headers'] ?? '',
      /authorization, x-api-key/,
    );

    const reads = [
      await send(port, { key, headers: { origin: PAGE } }),
      await send(port, { key, path: '/v1/memories/m001', headers: { origin: PAGE } }),
      await send(port, {
        key,
        path: '/v1/memories/m001',
        headers: { origin: PAGE, 'if-none-match': '*' },
      }),
      await send(port, { key, path: '/v1/memories/none', headers: { origin: PAGE } }),
      await send(port, { headers: { origin: PAGE } }),
    ];
    assert.deepEqual(
      reads.map(({ status }) => status),
      [200, 200, 304, 404, 401],
    );
    for (const { headers } of reads) {
      assert.equal(headers['access-control-allow-origin'], PAGE);
      assert.equal(
        headers['access-control-expose-headers'],
        'etag, link, retry-after, x-request-id',
      );
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.equal(headers['vary'], 'authorization, x-api-key, accept-encoding, origin');
    }

    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'null',
      '',
    ]) {
      const answer = await send(port, { key, headers: { origin } });
      assert.equal(answer.status, 200);
      assert.deepEqual(corsOf(answer), [], origin);
      assert.match(answer.headers['vary'] ?? '', /origin$/);
      assert.equal(
        (await send(port, { method: 'OPTIONS', headers: { ...asks, origin } })).status,
        401,
      );
    }
    const { origin } = asks;
    assert.equal(
      (await send(port, { method: 'OPTIONS', headers: { origin } })).status,
      401,
      'no preflight',
    );
    assert.equal(
      (await send(port, { method: 'OPTIONS', key, headers: { origin } })).status,
      405,
      'no preflight',
    );
  });
});
