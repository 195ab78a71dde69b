// The fetch handler: the same responses as over HTTP, as web Request and Response objects.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import type { Failure } from '../../src/contract/failure.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { SyncStore } from '../../src/store/store.ts';
import { counting } from '../support/engines/counting-store.ts';
import { openAny } from '../support/engines/engine.ts';
import { assertDocumented } from '../support/wire/openapi-check.ts';
import { send, type WireRequest } from '../support/wire/wire.ts';
import { answerLater } from '../support/world/entry-points.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

/** Headers that the HTTP connection adds. With fetch, the host adds them. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding'];
const NEW_EACH_TIME = ['x-request-id'];

async function fetchLikeWire(
  { gateway, port }: World,
  { method, path, key, headers }: WireRequest,
) {
  const lines = Object.entries(headers ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  if (key !== undefined) lines.push(['authorization', `Bearer ${key}`]);
  const url = `http://127.0.0.1:${port}${path ?? '/v1/memories'}`;
  const request = new Request(url, { method: method ?? 'GET', headers: lines });
  const response = await gateway.fetch(request);
  const body = Buffer.from(await response.arrayBuffer());
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), body };
  assertDocumented({ method: request.method, target: path ?? '/v1/memories' }, answer);
  return answer;
}

function comparable(answer: {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}) {
  const { status, headers, body } = answer;
  const kept = Object.entries(headers)
    .filter(([name]) => ![...OF_THE_CONNECTION, ...NEW_EACH_TIME].includes(name))
    .toSorted(([a], [b]) => a.localeCompare(b));
  return { status, headers: kept, body: body.toString('base64') };
}

describe('Through fetch', () => {
  it('a response is the same as over HTTP: status, headers and bytes', async (t) => {
    const world = await createWorld(t, { allowOrigins: ['https://app.example'] });
    const key = world.addAccount('ana', [
      ...memories(12, 40_000),
      memory({ id: 'one', transcript: 'a'.repeat(5000) }),
    ]);
    const revoked = world.addKey('ana');
    world.writer.keys.revoke(revoked.id);
    world.writer.memories.delete('ana', 'm003');
    const etagOf = async (path: string) =>
      (await send(world.port, { key, path })).headers['etag'] ?? '';
    const etag = await etagOf('/v1/memories/one');
    const { link } = (await send(world.port, { key, path: '/v1/changes?limit=2' })).headers;
    const since = /since=([\w-]+)/.exec(link ?? '')?.[1];
    const origin = 'https://app.example';
    const cases: WireRequest[] = [
      {},
      { key },
      { key: revoked.key },
      { key: `${key}x` },
      { headers: { 'x-api-key': key } },
      { key, headers: { 'x-api-key': revoked.key } },
      { headers: { 'x-api-key': [key, key] } },
      { headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] } },
      { headers: { authorization: `basic abc`, 'x-api-key': key } },
      { key, method: 'HEAD' },
      { key, method: 'POST' },
      { key, method: 'DELETE', path: '/v1/memories/one' },
      { key, method: 'OPTIONS' },
      { key, path: '/v1/memories?limit=2' },
      { key, path: '/v1/memories?limit=2&order=asc', method: 'HEAD' },
      { key, path: '/v1/memories?limit=11' },
      { key, path: '/v1/memories?limit=0' },
      { key, path: '/v1/memories?limt=1' },
      { key, path: '/v1/memories?limit=1&limit=2' },
      { key, path: '/v1/memories?order=%' },
      { key, path: '/v1/memories?fields=name,started_at' },
      { key, path: '/v1/memories?fields=name&limit=2&order=asc' },
      { key, path: '/v1/memories?fields=nam' },
      { key, path: '/v1/memories?started_after=2026-01-01&timezone=Asia/Tokyo&limit=2' },
      { key, path: '/v1/memories?started_before=2026-02-30' },
      { key, path: '/v1/memories?is_processing=true' },
      { key, path: '/v1/memories?is_processing=no' },
      { key, path: '/v1/memories?q=hello+one&fields=id' },
      { key, path: '/v1/memories?q=' },
      { key, path: '/v1/memories?cursor=abc&q=hello' },
      { key, path: '/v1/memories/' },
      { key, path: '/v1/memories/one' },
      { key, path: '/v1/memories/one?x' },
      { key, path: '/v1/memories/one?fields=transcript' },
      { key, path: '/v1/memories/one?fields=transcript,transcript' },
      { key, path: '/v1/memories/none?fields=id' },
      { path: '/v1/changes' },
      { key, path: '/v1/changes' },
      { key, path: '/v1/changes', method: 'HEAD' },
      { key, path: '/v1/changes', method: 'POST' },
      { key, path: '/v1/changes', headers: { 'accept-encoding': 'gzip' } },
      { key, path: `/v1/changes?since=${since}` },
      { key, path: `/v1/changes?since=${since}&limit=1` },
      { key, path: `/v1/changes?cursor=${since}` },
      { key, path: '/v1/changes?since=abc' },
      { key, path: '/v1/changes?limit=1001' },
      { key, path: '/v1/changes/' },
      { key, path: '/v1/memories/o%6ee' },
      { key, path: '/v1/memories/none' },
      { key, path: '/v1/memories/%ff' },
      { key, path: '/v1' },
      { key, path: `/v1/memories?${'x'.repeat(14_000)}` },
      { path: `/healthz?${'x'.repeat(14_000)}` },
      { path: '/docs' },
      { path: '/docs/' },
      { path: '/docs/none' },
      { path: '/docs/style.css', headers: { 'accept-encoding': 'br' } },
      { path: '/openapi.json' },
      { path: '/openapi.json', method: 'HEAD' },
      { path: '/openapi.json', method: 'PUT' },
      { path: '/v1/nothing' },
      { path: '/' },
      { path: '/healthz' },
      { path: '/readyz', method: 'HEAD' },
      { path: '/readyz', method: 'POST' },
      { key, path: '/v1/memories/one', headers: { 'if-none-match': etag } },
      { key, path: '/v1/memories/one', headers: { 'if-none-match': '"other"' } },
      { key, path: '/v1/memories/nobody', headers: { 'if-none-match': '*' } },
      { key, path: '/v1/memories/one?fields=id', headers: { 'if-none-match': etag } },
      ...(await Promise.all(
        ['/v1/memories/one?fields=id', '/v1/memories?fields=id', '/v1/changes'].map(
          async (path) => ({ key, path, headers: { 'if-none-match': await etagOf(path) } }),
        ),
      )),
      ...['gzip', 'br', 'zstd', 'gzip;q=0, br', 'identity'].flatMap((coding) => [
        { key, path: '/v1/memories/one', headers: { 'accept-encoding': coding } },
        { key, headers: { 'accept-encoding': coding } },
        { key, method: 'HEAD', headers: { 'accept-encoding': coding } },
      ]),
      { key, headers: { origin } },
      { key, headers: { origin: 'https://evil.example' } },
      { headers: { origin } },
      {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      },
    ];
    const statuses = new Set<number>();
    for (const request of cases) {
      const [wire, fetched] = [
        await send(world.port, request),
        await fetchLikeWire(world, request),
      ];
      assert.deepEqual(comparable(fetched), comparable(wire), JSON.stringify(request));
      assert.match(fetched.headers['x-request-id'] ?? '', /^[\da-f-]{36}$/);
      statuses.add(fetched.status);
    }
    assert.deepEqual(
      [...statuses].toSorted((a, b) => a - b),
      [200, 204, 303, 304, 308, 401, 404, 405, 414, 422],
    );
  });

  it('a list is read from the store as the client reads it, and no further when the client leaves', async (t) => {
    const read = counting();
    const world = await createWorld(t, read);
    const key = world.addAccount('ana', memories(60, 40_000));
    const headers = { authorization: `Bearer ${key}` };
    const url = 'http://gateway/v1/memories';
    for (const coding of ['identity', 'gzip']) {
      read.batches = 0;
      const unread = await world.gateway.fetch(
        new Request(url, { headers: { ...headers, 'accept-encoding': coding } }),
      );
      assert.equal(read.batches, 1, 'the first is read at once');
      await unread.body?.cancel();
      assert.equal(read.batches, 1);
      const left = await world.gateway.fetch(
        new Request(url, { headers: { ...headers, 'accept-encoding': coding } }),
      );
      const reader = (left.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel();
      assert.ok(
        read.batches < 8,
        `${read.batches} batches of 10 were read for one part, ${coding}`,
      );
    }
    const lines = world.log.filter(({ message }) => message === 'request');
    assert.deepEqual(
      lines.map(({ fields }) => [fields['status'], fields['complete']]),
      Array.from({ length: 4 }, () => [200, false]),
    );
  });

  it('a list is read no further when its request is aborted', async (t) => {
    const read = counting();
    const world = await createWorld(t, read);
    const key = world.addAccount('ana', memories(60, 40_000));
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const response = await world.gateway.fetch(
      new Request('http://gateway/v1/memories', { headers, signal: stop.signal }),
    );
    stop.abort();
    await assert.rejects(response.text());
    assert.equal(read.batches, 1);
  });

  it('a client that leaves during a read is one log entry, and no failure', async (t) => {
    const world = await createWorld(t, { wrap: answerLater });
    const key = world.addAccount('ana', memories(60, 40_000));
    for (const coding of ['identity', 'gzip', 'zstd']) {
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': coding };
      const stop = new AbortController();
      const url = 'http://gateway/v1/memories';
      const cancelled = await world.gateway.fetch(new Request(url, { headers }));
      const reader = (cancelled.body as ReadableStream<Uint8Array>).getReader();
      const reading = reader.read();
      await reader.cancel();
      await reading;
      const { signal } = stop;
      const aborted = await world.gateway.fetch(new Request(url, { headers, signal }));
      const failing = assert.rejects(aborted.text());
      stop.abort();
      await failing;
      await setImmediate();
      assert.deepEqual(
        world.log.splice(0).map(({ message, fields }) => [message, fields['complete']]),
        [
          ['request', false],
          ['request', false],
        ],
        coding,
      );
    }
  });

  it('a list yields to other requests, also if no other work waits', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(73, 40_000));
    const headers = { authorization: `Bearer ${key}` };
    let turns = 0;
    const count = () => {
      turns++;
      next = globalThis.setImmediate(count);
    };
    let next = globalThis.setImmediate(count);
    t.after(() => clearImmediate(next));
    await (
      await world.gateway.fetch(new Request('http://gateway/v1/memories', { headers }))
    ).text();
    const byFetch = turns;
    await world.gateway.as('ana').memories.list();
    assert.ok(
      byFetch >= 9 && turns - byFetch >= 9,
      `${byFetch} and ${turns} event loop turns in 10 batches`,
    );
  });

  it('a list that breaks is an error for its reader, and is logged', async (t) => {
    const read = counting((batch) => {
      if (batch === 3) throw new Error('disk on fire');
    });
    const world = await createWorld(t, {
      wrap: (store) => answerLater(read.wrap(store) as SyncStore),
    });
    const key = world.addAccount('ana', memories(60, 40_000));
    const headers = { authorization: `Bearer ${key}` };
    for (const coding of ['identity', 'br']) {
      read.batches = 0;
      const response = await world.gateway.fetch(
        new Request('http://gateway/v1/memories', {
          headers: { ...headers, 'accept-encoding': coding },
        }),
      );
      assert.equal(response.status, 200);
      await assert.rejects(response.text(), (error: Failure) => error.status === 500);
      const [failed, ended] = world.log.splice(0);
      assert.equal(failed?.message, 'request failed');
      assert.match(String(failed?.fields['err']), /disk on fire/);
      assert.equal(failed?.fields['request_id'], response.headers.get('x-request-id'));
      assert.equal(ended?.fields['complete'], false);
    }
  });

  it('a request is routed by the path of its URL, whatever its host and fragment', async (t) => {
    const world = await createWorld(t);
    const store = await openAny(world.database);
    t.after(() => store.close());
    const { fetch } = createGateway(store, { baseUrl: 'https://public.example/a/b' });
    const key = world.addAccount('ana', memories(3));
    const headers = { authorization: `Bearer ${key}` };
    for (const url of [
      'http://x/a/b/v1/memories?limit=1',
      'https://user@y:8443/v1/memories?limit=1#fragment',
    ]) {
      const response = await fetch(new Request(url.replace('user@', ''), { headers }));
      assert.equal(response.status, 200);
      assert.match(
        response.headers.get('link') ?? '',
        /^<https:\/\/public\.example\/a\/b\/v1\/memories\?cursor=[\w-]+>; rel="next"$/,
      );
    }
  });
});
