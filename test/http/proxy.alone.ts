// Reverse proxies: the configuration files of scripts/deploy, unchanged, over TLS in front of a real gateway.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';

import { createServer } from '../../src/gateway/server/server.ts';
import {
  allow,
  authorization,
  createConnectWorld,
  readTokens,
  REDIRECT,
} from '../support/connect/connect-world.ts';
import { lacks, proxies, startProxy, type Proxy } from '../support/wire/proxies.ts';
import { send, type WireAnswer, type WireRequest } from '../support/wire/wire.ts';
import { freePort } from '../support/world/free-port.ts';
import { ROOT, startProcess, stop, waitFor } from '../support/world/program.ts';
import { listen } from '../support/world/server-in-process.ts';
import { createWorld, memories } from '../support/world/world.ts';

const WORD = 'quokka'; // occurs in memories and searches, and must be in no log

/** The headers that a proxy sets or changes. */
const ITS_OWN = new Set([
  'alt-svc',
  'connection',
  'date',
  'keep-alive',
  'server',
  'strict-transport-security',
  'transfer-encoding',
  'via',
  'x-request-id',
]);

/** Sends a request through a proxy. With an agent, the connection is persistent. */
async function ask(
  proxy: Proxy,
  asked: WireRequest,
  options?: RequestOptions,
): Promise<WireAnswer> {
  const response = await open(proxy, asked, options);
  const body = await buffer(response);
  const plain = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const { statusCode: status = 0 } = response;
  return { status, headers: Object.fromEntries(plain), body, text: body.toString() };
}

async function open(
  { port, ca }: Proxy,
  { method = 'GET', path = '/v1/memories', key, headers = {}, body }: WireRequest,
  options: RequestOptions = { agent: false },
): Promise<IncomingMessage> {
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const sent = request({
    host: '127.0.0.1',
    servername: 'localhost',
    ca,
    port,
    method,
    path,
    headers: { host: 'localhost', ...credentials, ...headers },
    ...options,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/**
 * The part of a response that must be the same with and without a proxy. The body is hashed,
 * because a diff of a megabyte is unreadable.
 */
function comparable({ status, headers, body }: WireAnswer) {
  const kept = Object.entries(headers).filter(([name]) => !ITS_OWN.has(name));
  return { status, headers: Object.fromEntries(kept), body: hash('sha256', body) };
}

async function startGateway(t: TestContext, database: string, port: number) {
  const child = startProcess([
    'serve',
    '--database',
    database,
    '--port',
    String(port),
    '--access-log',
  ]);
  t.after(() => stop(child, 'SIGKILL'));
  child.stdout.resume();
  await waitFor(child, 'stdout', /listening/);
  return child;
}

/** Creates a world with an account of 1 MB, and a proxy in front of its gateway. */
async function createScene(t: TestContext, name: (typeof proxies)[number]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(20, 50_000));
  return { world, key, proxy: await startProxy(t, name, world.port) };
}

/** The same with a gateway in a process of its own, which the test can stop. */
async function createProcess(t: TestContext, name: (typeof proxies)[number]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(3));
  const port = await freePort();
  const child = await startGateway(t, world.database, port);
  return { world, key, port, child, proxy: await startProxy(t, name, port) };
}

for (const name of proxies) {
  describe(`Behind ${name}`, { skip: lacks(name) }, () => {
    it('every response is the same as without it, except for the date, the request id and HSTS', async (t) => {
      const { world, key, proxy } = await createScene(t, name);
      const one = await send(world.port, { key, path: '/v1/memories/m001' });
      const etag = String(one.headers['etag']);
      const coded = (coding: string) => ({ 'accept-encoding': coding });
      const packed = await send(world.port, {
        key,
        path: '/v1/memories/m001',
        headers: coded('gzip'),
      });
      const revoked = world.addKey('ana');
      world.writer.keys.revoke(revoked.id);
      const requests: [number, WireRequest][] = [
        [200, { key }],
        [200, { key, method: 'HEAD' }],
        [200, { key, path: '/v1/memories?limit=2&fields=name' }],
        [200, { key, path: '/v1/memories/m001' }],
        [200, { key, path: '/v1/memories/m001', method: 'HEAD' }],
        [200, { key, path: '/v1/changes?limit=3' }],
        [200, { headers: { 'x-api-key': key } }],
        [200, { key, headers: { 'x-api-key': key } }],
        [200, { key, headers: coded('gzip') }],
        [200, { key, headers: coded('br') }],
        [200, { key, path: '/v1/memories/m001', headers: coded('zstd') }],
        [304, { key, path: '/v1/memories/m001', headers: { 'if-none-match': etag } }],
        [
          304,
          {
            key,
            path: '/v1/memories/m001',
            headers: { ...coded('gzip'), 'if-none-match': String(packed.headers['etag']) },
          },
        ],
        [401, {}],
        [401, { key: revoked.key }],
        [401, { key, headers: { 'x-api-key': revoked.key } }],
        [401, { headers: { x_api_key: key } }],
        [404, { key, path: '/v1/memories/nowhere' }],
        [404, { key, path: '//v1/memories' }],
        [404, { key, path: '/v1/../v1/memories' }],
        [404, { key, path: '/v1/memories/' }],
        [405, { key, method: 'POST' }],
        [405, { key, method: 'DELETE', path: '/v1/memories/m001' }],
        [414, { key, path: `/v1/memories?q=${'a'.repeat(13_400)}` }],
        [422, { key, path: '/v1/memories/a%2fb' }],
        [422, { key, path: '/v1/memories?limit=0' }],
        [422, { key, path: `/v1/memories?q=${'a'.repeat(8000)}` }],
        [200, { path: '/healthz' }],
        [200, { path: '/readyz' }],
        [200, { path: '/docs' }],
      ];
      for (const [status, each] of requests) {
        const what = `${each.method ?? 'GET'} ${each.path?.slice(0, 60) ?? ''} ${status}`;
        const direct = await send(world.port, each);
        const proxied = await ask(proxy, each);
        assert.equal(direct.status, status, what);
        assert.deepEqual(comparable(proxied), comparable(direct), what);
        assert.match(String(proxied.headers['x-request-id']), /^[0-9a-f-]{36}$/, what);
        assert.match(
          String(proxied.headers['strict-transport-security']),
          /^max-age=31536000\b/,
          what,
        );
      }
      // The document names the address that it was fetched from, and no address behind a proxy that nobody named.
      const read = (text: string) => JSON.parse(text) as { servers?: unknown };
      const own = read((await send(world.port, { path: '/openapi.json' })).text);
      assert.deepEqual(own.servers, [{ url: `http://127.0.0.1:${world.port}` }]);
      const behind = read((await ask(proxy, { path: '/openapi.json' })).text);
      assert.deepEqual(behind, { ...own, servers: [{ url: '/' }] });
      assert.notEqual(packed.headers['etag'], etag);
      const unpacked = await ask(proxy, {
        key,
        path: '/v1/memories/m001',
        headers: coded('gzip'),
      });
      assert.deepEqual(gunzipSync(unpacked.body), one.body);
    });

    it('HTTP/2 gets the same, with many requests at once', async (t) => {
      const { world, key, proxy } = await createScene(t, name);
      const direct = await send(world.port, { key });
      const session = connectHttp2(`https://localhost:${proxy.port}`, {
        ca: proxy.ca,
        lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      const all = Array.from({ length: 20 }, async () => {
        const stream = session.request({ ':path': '/v1/memories', 'x-api-key': key });
        const [head] = await once(stream, 'response');
        const body = hash('sha256', await buffer(stream));
        return { status: head[':status'], etag: head['etag'], body };
      });
      const body = hash('sha256', direct.body);
      const expected = { status: 200, etag: direct.headers['etag'], body };
      const answers = await Promise.allSettled(all);
      // Hooks run in the order of their registration, so the proxy would stop first and reset the session.
      session.destroy();
      for (const answer of answers)
        assert.deepEqual(answer, { status: 'fulfilled', value: expected });
    });

    it('TLS is 1.2 or 1.3, and nothing older', async (t) => {
      const { key, proxy } = await createScene(t, name);
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
        const agent = new Agent({ keepAlive: true, minVersion: version, maxVersion: version });
        t.after(() => agent.destroy());
        const answer = await ask(proxy, { key }, { agent });
        assert.equal(answer.status, 200);
        const [socket] = Object.values(agent.freeSockets).flat();
        assert.equal((socket as TLSSocket).getProtocol(), version);
      }
      // The client accepts HTTP/3, so a missing HTTP/3 is the server's choice.
      const old = { agent: false, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
      await assert.rejects(
        ask(proxy, { key }, { ...old, ciphers: 'DEFAULT@SECLEVEL=0' }),
        /alert|ECONNRESET/,
      );
    });

    it('a long list reaches a slow reader completely, without buffering on disk', async (t) => {
      const { world, proxy } = await createScene(t, name);
      const key = world.addAccount('bo', memories(200, 100_000)); // more than the sockets can buffer
      const { body } = await send(world.port, { key });
      const response = await open(proxy, { key });
      const parts: Buffer[] = [];
      for await (const part of response) {
        if (parts.push(part) > 1) continue;
        await sleep(500);
        assert.ok(!written(proxy).includes('Memory m'));
      }
      assert.ok(Buffer.concat(parts).equals(body));
    });

    it('a revoked key fails on the next request of the same connection', async (t) => {
      const { world, proxy } = await createScene(t, name);
      const { id, key } = world.addKey('ana');
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      for (let i = 0; i < 3; i++) assert.equal((await ask(proxy, { key }, { agent })).status, 200);
      world.writer.keys.revoke(id);
      assert.equal((await ask(proxy, { key }, { agent })).status, 401);
    });

    it('500 requests on persistent connections all get a response', async (t) => {
      const { key, proxy } = await createScene(t, name);
      const agent = new Agent({ keepAlive: true, maxSockets: 10 });
      t.after(() => agent.destroy());
      const statuses = await Promise.all(
        Array.from({ length: 500 }, async (_, i) => {
          const path = `/v1/memories/m${String(i % 25).padStart(3, '0')}`;
          return (await ask(proxy, { key, path }, { agent })).status;
        }),
      );
      assert.deepEqual(Object.groupBy(statuses, String)['200']?.length, 400);
      assert.deepEqual(Object.groupBy(statuses, String)['404']?.length, 100);
    });

    it('a stopped gateway is 503 in the documented form, and is used again at once when it is back', async (t) => {
      const { world, key, port, child, proxy } = await createProcess(t, name);
      assert.equal((await ask(proxy, { key })).status, 200);
      await stop(child);
      const away = await ask(proxy, { key, path: `/v1/memories?q=${WORD}` });
      assert.equal(away.status, 503);
      assert.equal(away.headers['retry-after'], '1');
      assert.equal(away.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual(Object.keys(JSON.parse(away.text)), ['detail']);
      await startGateway(t, world.database, port);
      assert.equal((await ask(proxy, { key })).status, 200);
      assert.equal((await ask(proxy, { headers: { 'x-api-key': key } })).status, 200);
    });

    it('its logs contain neither keys nor searches', async (t) => {
      const { key, child, proxy } = await createProcess(t, name);
      const path = `/v1/memories/m001?q=${WORD}`;
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
        await ask(proxy, { headers, path: `/v1/memories?q=${WORD}` });
        await ask(proxy, { headers, path });
        await ask(proxy, { headers, path: '/v1/memories/\u0001' }).catch(() => {});
      }
      await stop(child);
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
        assert.equal((await ask(proxy, { headers, path })).status, 503);
      const log = written(proxy);
      assert.ok(!log.includes(key));
      assert.ok(!log.includes(WORD));
      assert.ok(!log.includes('m001'));
    });

    it('the gateway takes the client address from the proxy, not from the client, and gets no body', async (t) => {
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
      const upstream = createHttpServer((incoming, response) => {
        resolve({ ...incoming.headers, version: incoming.httpVersion });
        response.end('{}');
      });
      const proxy = await startProxy(t, name, await listen(t, upstream));
      await ask(proxy, {
        path: '/v1/memories',
        headers: {
          'x-forwarded-for': '192.0.2.1, 192.0.2.2',
          forwarded: 'for=192.0.2.3',
          'x-api-key': 'a',
          authorization: 'Bearer b',
        },
      });
      const headers = await promise;
      assert.equal(headers['x-forwarded-for'], '127.0.0.1');
      assert.equal(headers['forwarded'], undefined);
      assert.equal(headers['x-api-key'], 'a');
      assert.equal(headers['authorization'], 'Bearer b');
      assert.equal(headers['host'], 'localhost');
      assert.equal(headers['version'], '1.1');
    });

    it('requests without TLS are refused, and not redirected', async (t) => {
      const { key, proxy } = await createScene(t, name);
      for (const path of ['/v1/memories', '/docs', '/']) {
        const answer = await plainly(proxy.plain, path, key);
        assert.equal(answer.status, 403);
        assert.equal(answer.headers.get('location'), null);
        assert.match(answer.text, /^\{"detail":"Use https\.[^"]*revoke it\."\}$/);
      }
    });

    it('the proxy closes an idle connection before the gateway does', () => {
      const file = { nginx: 'nginx.conf', caddy: 'Caddyfile' }[name];
      const text = readFileSync(join(ROOT, 'scripts/deploy', file), 'utf8');
      const [, seconds] = /^\s*keepalive(?:_timeout)? (\d+)s;?$/m.exec(text) ?? [];
      assert.ok(Number(seconds) * 1000 < createServer(() => {}).keepAliveTimeout);
    });
  });
}

for (const name of proxies)
  describe(`An agent behind ${name}`, { skip: lacks(name) }, () => {
    it('sends bodies of up to 64 kB, and the gateway itself refuses longer ones', async (t) => {
      const { world, key, proxy } = await createScene(t, name);
      for (const [status, size] of [
        [200, 100],
        [200, 64_000],
        [413, 70_000],
      ] as const) {
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'.padEnd(size);
        const headers = { 'content-type': 'application/json', 'content-length': String(size) };
        const asked: WireRequest = { method: 'POST', path: '/mcp', key, headers, body };
        const direct = await send(world.port, asked);
        assert.equal(direct.status, status, direct.text);
        assert.deepEqual(comparable(await ask(proxy, asked)), comparable(direct));
      }
    });
  });

for (const name of proxies)
  describe(`An OAuth client behind ${name}`, { skip: lacks(name) }, () => {
    it('finds the connector, registers itself, redeems its code, and calls a tool', async (t) => {
      const world = await createConnectWorld(t, { baseUrl: 'https://localhost' });
      const proxy = await startProxy(t, name, world.port);
      const json = { 'content-type': 'application/json' };
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const post = (path: string, headers: Record<string, string>, body: string) =>
        ask(proxy, { method: 'POST', path, headers, body });

      const first = await post('/mcp/connect', json, '{}');
      assert.equal(first.status, 401);
      const [, url = ''] =
        /resource_metadata="([^"]+)"/.exec(first.headers['www-authenticate'] ?? '') ?? [];
      const { origin, pathname } = new URL(url);
      assert.equal(origin, 'https://localhost');
      for (const path of [pathname, '/.well-known/oauth-authorization-server/oauth']) {
        const direct = await world.ask('GET', path);
        assert.equal(direct.status, 200);
        assert.deepEqual(comparable(await ask(proxy, { path })), comparable(direct));
      }
      const about = JSON.stringify({ redirect_uris: [REDIRECT] });
      const registered = await post('/oauth/register', json, about);
      assert.equal(registered.status, 201, registered.text);
      const { client_id } = JSON.parse(registered.text);

      const resource = 'https://localhost/mcp/connect';
      const asked = authorization({ client_id, resource });
      const led = await ask(proxy, { path: `/oauth/authorize?${asked.query}` });
      assert.equal(led.status, 303);
      assert.equal(led.headers['location'], `https://localhost/app/consent?${asked.query}`);
      const back = await allow(await world.owner(), asked.query);
      const code = back.searchParams.get('code') ?? '';
      const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id };
      const redeemed = { ...grant, code_verifier: asked.verifier, resource };
      const tokens = await post('/oauth/token', form, String(new URLSearchParams(redeemed)));
      const { access_token: key } = readTokens(tokens);
      const call = { name: 'list_memories', arguments: {} };
      const listed = await ask(proxy, {
        method: 'POST',
        path: '/mcp/connect',
        key,
        headers: { ...json, accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      });
      assert.equal(listed.status, 200);
      assert.match(listed.text, /one/);
      const ended = String(new URLSearchParams({ token: key, client_id }));
      assert.equal((await post('/oauth/revoke', form, ended)).status, 200);
      assert.equal(written(proxy).includes(key), false);
    });
  });

describe('nginx by itself', { skip: lacks('nginx') }, () => {
  it('returns its own errors in the documented form', async (t) => {
    const { key, proxy } = await createScene(t, 'nginx');
    const cases: [number, WireRequest][] = [
      [400, { key, headers: { 'x-long': 'a'.repeat(40_000) } }],
      [400, { key, path: `/v1/memories?q=${'a'.repeat(40_000)}` }],
      [400, { key, headers: { host: 'a b' } }],
      [400, { key, method: 'POST', headers: { 'content-length': '2000' } }],
      [405, { key, method: 'TRACE' }],
    ];
    for (const [status, each] of cases) {
      const answer = await ask(proxy, each);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.deepEqual(Object.keys(JSON.parse(answer.text)), ['detail']);
      assert.equal(answer.headers['allow'], status === 405 ? 'GET, HEAD' : undefined);
    }
  });
});

/** Returns everything that a proxy wrote: logs, and files of its own. */
function written({ folder }: Proxy): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pem'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

async function plainly(port: number, path: string, key: string) {
  const options = { headers: { 'x-api-key': key }, redirect: 'manual' } as const;
  const answer = await fetch(`http://localhost:${port}${path}`, options);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
