// Cross-origin requests: none by default, and only the origins that are allowed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { assertFailure } from '../support/wire/response-shape.ts';
import { send, type WireAnswer } from '../support/wire/wire.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { createWorld, memories } from '../support/world/world.ts';

const PAGE = 'https://app.example';
const asks = {
  origin: PAGE,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

function corsOf({ headers }: WireAnswer): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

describe('Without allowed origins', () => {
  it('no response has a CORS header, and a preflight is 401 like every request without a key', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    assert.deepEqual(corsOf(await send(world.port, { key, headers: { origin: PAGE } })), []);
    const preflight = await send(world.port, { method: 'OPTIONS', headers: asks });
    assertFailure(preflight, 401);
    assert.deepEqual(corsOf(preflight), []);
  });
});

describe('With an allowed origin', () => {
  it('its pages can send requests and read responses, failures too, and other pages cannot', async (t) => {
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

  it('its pages can call /mcp, with the headers of the protocol, and other pages cannot', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const { port } = await createServerOn(t, world.database, {
      allowOrigins: [PAGE],
      baseUrl: '/mine',
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const wanted = [
      'authorization',
      'content-type',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'x-api-key',
    ];
    for (const path of ['/mcp', '/mine/mcp', '/mcp?x=1']) {
      const headers = { ...asks, 'access-control-request-method': 'POST' };
      const preflight = await send(port, { method: 'OPTIONS', path, headers });
      assert.equal(preflight.status, 204, path);
      assert.equal(preflight.headers['access-control-allow-origin'], PAGE);
      assert.equal(preflight.headers['access-control-allow-methods'], 'POST');
      const allowed = preflight.headers['access-control-allow-headers'] ?? '';
      assert.deepEqual(allowed.split(', ').toSorted(), wanted);
      assert.equal(preflight.body.length, 0);
    }
    for (const origin of ['https://evil.example', 'null'])
      for (const method of ['OPTIONS', 'POST']) {
        const headers = { ...asks, origin };
        const answer = await send(port, { method, path: '/mcp', key, headers });
        assert.equal(answer.status, 403);
        assert.deepEqual(corsOf(answer), []);
      }
    const headers = { origin: PAGE, 'content-type': 'application/json' };
    const call = await send(port, { method: 'POST', path: '/mcp', key, headers, body });
    assert.equal(call.status, 200);
    assert.equal(call.headers['access-control-allow-origin'], PAGE);
    const refused = await send(port, { method: 'POST', path: '/mcp', headers, body });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['access-control-allow-origin'], PAGE, 'a page can read why');
  });

  it('the sandboxed page of the documentation cannot call /mcp', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const { port } = await createServerOn(t, world.database, { sandboxDocs: true });
    const headers = { ...asks, origin: 'null', 'access-control-request-method': 'POST' };
    assert.equal((await send(port, { method: 'OPTIONS', headers })).status, 204);
    for (const method of ['OPTIONS', 'POST'])
      assert.equal((await send(port, { method, path: '/mcp', key, headers })).status, 403);
  });
});
