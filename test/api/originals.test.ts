// Originals: what memories were made from, as files over HTTP.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';

import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import { Failure } from '../../src/contract/failure.ts';
import { NAMED_STATUSES } from '../../src/contract/statuses.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails } from '../support/world/details.ts';
import { createWorld, memory } from '../support/world/world.ts';

const VTT = 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>Hüm.\n';
/** Bytes that are no text in UTF-8, and long enough to be compressed. */
const LONG = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i % 50) + 200));

const path = (id: string) => `/v1/memories/${id}/original`;

/** Creates a world with memories of Ana, of which one has no original, and one memory of Bo. */
async function createOriginals(t: TestContext) {
  const world = await createWorld(t);
  const [ana, bo] = [world.addAccount('ana', []), world.addAccount('bo', [])];
  const put = (account: string, id: string, media_type?: string, bytes: Uint8Array = LONG) => {
    const details = media_type && {
      ...fullDetails(),
      original: { media_type, bytes, reading: '{}' },
    };
    const day = id === 'late' ? '2026-11-19T09:00:00.000Z' : '2026-11-11T09:00:00.000Z';
    const one = memory({ id, started_at: day, ended_at: day });
    world.writer.memories.putReady([prepareMemory(account, one, details || undefined)]);
  };
  put('ana', 'talk', 'text/vtt', Buffer.from(VTT));
  put('ana', 'page', 'text/html', Buffer.from('<script>alert(1)</script>'));
  put('ana', 'late', 'application/octet-stream');
  put('ana', '.a~b-', 'application/json', Buffer.from('{}'));
  put('ana', 'none');
  put('bo', 'his', 'text/plain');
  const get = (id: string, more: Partial<Parameters<typeof send>[1]> = {}) =>
    send(world.port, { path: path(id), key: ana, ...more });
  return { ...world, ana, bo, get };
}

describe('An original', () => {
  it('is the bytes as they came, with their media type and their hash as the ETag', async (t) => {
    const { get } = await createOriginals(t);
    const answer = await get('talk');
    assert.deepEqual([answer.status, answer.text], [200, VTT]);
    assert.equal(answer.headers['content-type'], 'text/vtt');
    assert.equal(answer.headers['content-length'], String(Buffer.byteLength(VTT)));
    assert.equal(answer.headers['etag'], `"${hash('sha256', VTT)}"`);
    assertAlways(answer);
    assert.deepEqual((await get('late')).body, LONG);
  });

  it('is a file to save, which a browser never runs as a page', async (t) => {
    const { get } = await createOriginals(t);
    for (const [id, name] of [
      ['talk', 'original-talk.vtt'],
      ['page', 'original-page.html'],
      ['late', 'original-late'],
      ['.a~b-', 'original-.a~b-.json'],
    ] as const) {
      const { headers } = await get(id);
      assert.equal(headers['content-disposition'], `attachment; filename="${name}"`);
      assert.equal(headers['content-security-policy'], 'sandbox');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('has HEAD, 304 and compression, also when it is requested again', async (t) => {
    const { get } = await createOriginals(t);
    for (let i = 0; i < 2; i++) {
      const { headers } = await get('late');
      const { etag = '' } = headers;
      const head = await get('late', { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length, head.headers['etag']], [200, 0, etag]);
      assert.equal(head.headers['content-length'], String(LONG.length));
      assert.equal(head.headers['content-disposition'], headers['content-disposition']);
      const current = await get('late', { headers: { 'if-none-match': etag } });
      assert.deepEqual(
        [current.status, current.body.length, current.headers['etag']],
        [304, 0, etag],
      );
      const packed = await get('late', { headers: { 'accept-encoding': 'zstd' } });
      assert.equal(packed.headers['content-encoding'], 'zstd');
      assert.equal(packed.headers['content-type'], 'application/octet-stream');
      assert.deepEqual(zstdDecompressSync(packed.body), LONG);
    }
  });

  it('that was not kept is a 404 with a sentence of its own', async (t) => {
    const { get } = await createOriginals(t);
    const missing = assertFailure(await get('none'), 404);
    assert.match(missing, /^No original of this memory was kept/);
    assert.equal(assertFailure(await get('nowhere'), 404), NAMED_STATUSES[404].detail);
  });

  it('of another account is the 404 of a memory that does not exist', async (t) => {
    const { get, bo } = await createOriginals(t);
    assert.equal(assertFailure(await get('his'), 404), NAMED_STATUSES[404].detail);
    assert.equal((await get('his', { key: bo })).status, 200);
    assert.equal(assertFailure(await get('talk', { key: bo }), 404), NAMED_STATUSES[404].detail);
    assertFailure(await get('talk', { key: undefined }), 401);
  });

  it('takes no parameters', async (t) => {
    const { port, ana: key } = await createOriginals(t);
    assertFailure(await send(port, { path: `${path('talk')}?fields=name`, key }), 422);
  });

  it('that is damaged is a 500, and its memory is still served', async (t) => {
    const { get, port, database, ana: key } = await createOriginals(t);
    const other = `SELECT compressed FROM originals WHERE media_type = 'text/vtt'`;
    engine.edit(
      database,
      `UPDATE originals SET compressed = (${other}) WHERE media_type = 'text/html'`,
    );
    assert.equal(assertFailure(await get('page'), 500), NAMED_STATUSES[500].detail);
    assert.equal((await send(port, { path: '/v1/memories/page', key })).status, 200);
    assert.equal((await send(port, { path: '/v1/memories/page/details', key })).status, 200);
    assert.equal((await get('talk')).status, 200);
  });

  it('has no media type that could break a header, however damaged that is', async (t) => {
    const { get, database } = await createOriginals(t);
    engine.edit(
      database,
      `UPDATE originals SET media_type = 'text/vtt' || '\r\nset-cookie: a=b' WHERE media_type = 'text/vtt'`,
    );
    const { status, headers, text } = await get('talk');
    assert.deepEqual([status, text], [200, VTT]);
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['set-cookie'], undefined);
  });
});

describe('A key with a scope', () => {
  it('for summaries gets no original, and is not told whether there is one', async (t) => {
    const { get, ...world } = await createOriginals(t);
    const key = world.addKey('ana', null, { reads: 'summaries' }).key;
    for (const id of ['talk', 'none', 'nowhere', 'his'])
      assert.equal(assertFailure(await get(id, { key }), 403), NAMED_STATUSES[403].detail);
  });

  it('for a window gets no original from outside of it', async (t) => {
    const { get, ...world } = await createOriginals(t);
    const window = world.addKey('ana', null, { started_after: Date.parse('2026-11-15') }).key;
    assert.equal((await get('late', { key: window })).status, 200);
    assert.equal(
      assertFailure(await get('talk', { key: window }), 404),
      NAMED_STATUSES[404].detail,
    );
  });
});

describe('An original for programs', () => {
  /** The client, with and without the check of responses, and the gateway in the same process. */
  async function createPrograms(t: TestContext) {
    const world = await createOriginals(t);
    const { url, ana, gateway } = world;
    const cached: string[] = [];
    const cache = { get: () => undefined, set: (each: string) => void cached.push(each) };
    const options = { baseUrl: url, apiKey: ana, cache };
    const apis: Record<string, Api> = {
      client: createClient(options),
      'client without checks': createClient({ ...options, check: false }),
      'same process': gateway.as('ana'),
    };
    return { ...world, apis, cached };
  }

  it('is the bytes as they came, of any kind and length', async (t) => {
    const { apis, cached } = await createPrograms(t);
    for (const [name, api] of Object.entries(apis)) {
      const text = await api.memories.original({ memory_id: 'talk' });
      assert.deepEqual(Buffer.from(text), Buffer.from(VTT), name);
      const bytes = await api.memories.original({ memory_id: 'late' });
      assert.ok(Buffer.from(bytes).equals(LONG), name);
    }
    assert.deepEqual(cached, [], 'a cache of JSON gets no files');
  });

  it('belongs to the program, which may change it', async (t) => {
    const { apis } = await createPrograms(t);
    const api = apis['same process']!;
    (await api.memories.original({ memory_id: 'late' })).fill(0);
    const again = await api.memories.original({ memory_id: 'late' });
    assert.ok(Buffer.from(again).equals(LONG));
  });

  it('is refused with the status and the sentence of HTTP', async (t) => {
    const world = await createPrograms(t);
    const { apis, get, url, gateway } = world;
    const scope = { reads: 'summaries' } as const;
    const { key } = world.addKey('ana', null, scope);
    const scoped = [createClient({ baseUrl: url, apiKey: key }), gateway.as('ana', scope)];
    const refused = async (api: Api, memory_id: string) => {
      const failure: unknown = await api.memories.original({ memory_id }).catch((error) => error);
      assert.ok(failure instanceof Failure);
      return [failure.status, failure.detail];
    };
    for (const id of ['none', 'his', 'a/b']) {
      const { status, text } = await get(encodeURIComponent(id));
      const { detail } = JSON.parse(text) as { detail: string };
      for (const api of Object.values(apis))
        assert.deepEqual(await refused(api, id), [status, detail], id);
    }
    for (const api of scoped) assert.equal((await refused(api, 'talk'))[0], 403);
  });
});
