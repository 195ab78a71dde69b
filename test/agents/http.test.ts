// POST /mcp: its checks, its limits, and what wrong or hostile requests get.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { createAgent, sendBy } from '../support/agents/agents.ts';
import { answerLater } from '../support/world/entry-points.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const fetchTool = (id: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'fetch', arguments: { id } },
});

interface Options {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Sends a request to /mcp. */
async function post(url: string, key: string, { method = 'POST', headers = {}, body }: Options) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: body ?? JSON.stringify(LIST) }),
  });
  const said = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text: said,
    json: said === '' ? undefined : JSON.parse(said),
  };
}

describe('POST /mcp', () => {
  it('takes empty arguments as left out, and answers wrong ones with one sentence', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a', [memory({ id: 'milk', transcript: 'Mira: Milk.' })]);
    const ask = async (method: string, params: unknown) =>
      (
        await post(world.url, key, {
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
        })
      ).json;
    for (const [name, args] of [
      ['search', { query: 'milk', started_after: '', timezone: ' ', max_tokens: 0, cursor: '' }],
      ['list_memories', { query: '', is_processing: '', order: '', limit: '0', timezone: null }],
      ['list_memories', null],
      ['list_memories', []],
      ['list_changes', { since: '', limit: 0 }],
      ['fetch', { id: 'milk', query: '', max_tokens: '' }],
    ] as const) {
      const { result } = await ask('tools/call', { name, arguments: args });
      assert.match(JSON.stringify(result), /milk/, name);
      assert.equal(result.isError, undefined, name);
    }
    const { result } = await ask('prompts/get', { name: 'catch_up', arguments: { since: '' } });
    assert.match(result.messages[0].content.text, /since 7d\./);
    assert.ok((await ask('resources/list', { cursor: '' })).result.resources);
    const version = { protocolVersion: '2025-11-25', capabilities: {} };
    for (const [method, params] of [
      ['tools/call', { name: 'search', arguments: ['milk'] }],
      ['tools/call', { name: 'search', arguments: 'milk' }],
      ['tools/call', { name: 5 }],
      ['tools/call', undefined],
      ['prompts/get', { name: 'catch_up', arguments: { since: {} } }],
      ['prompts/get', { name: 'prepare_for', arguments: { person: '' } }],
      ['resources/read', {}],
      ['resources/list', { cursor: 5 }],
      ['tools/list', { _meta: 5 }],
      ['initialize', version],
      ['initialize', { ...version, clientInfo: {} }],
    ] as const) {
      const { id, error } = await ask(method, params);
      assert.deepEqual([id, error.code], [7, -32_602], method);
      assert.match(error.message, /^[A-Z][^[\]\n]+\.$/, method);
    }
  });

  it('needs an API key, in either header, and refuses others like /v1', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const [other, { key: revoked, id }] = [world.addAccount('b'), world.addKey('a')];
    world.writer.keys.revoke(id);
    assert.equal((await post(world.url, key, {})).status, 200);
    const headers = { authorization: '', 'x-api-key': other };
    assert.equal(
      (await post(world.url, '', { headers: { ...headers, authorization: 'Basic x' } })).status,
      200,
    );
    const inV1 = await fetch(`${world.url}/v1/memories`);
    const sentence = await inV1.text();
    for (const bad of ['', 'x', revoked, `${key}x`]) {
      const response = await post(world.url, bad, {});
      assert.equal(response.status, 401);
      assert.equal(response.text, sentence);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    }
  });

  it('answers each client in JSON, or in an event stream if it takes both', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    for (const [accept, type] of [
      ['application/json', /^application\/json/],
      ['*/*', /^application\/json/],
      ['application/json, text/event-stream', /^text\/event-stream/],
    ] as const) {
      const response = await fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
        body: JSON.stringify(LIST),
      });
      assert.match(response.headers.get('content-type') ?? '', type);
      assert.match(await response.text(), /check_quote/);
    }
  });

  it('takes no other method, and lets pages of other sites call nothing', async (t) => {
    const world = await createWorld(t, { allowOrigins: ['https://agent.example'] });
    const key = world.addAccount('a');
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const response = await fetch(`${world.url}/mcp`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'POST');
      await response.body?.cancel();
    }
    for (const [origin, status] of [
      ['https://evil.example', 403],
      ['null', 403],
      ['http://localhost.evil.example', 403],
      ['https://agent.example', 200],
      ['http://localhost:3000', 200],
      ['http://127.0.0.1:5173', 200],
    ] as const)
      assert.equal((await post(world.url, key, { headers: { origin } })).status, status, origin);
    assert.equal(
      (await post(world.url, 'x', { headers: { origin: 'https://evil.example' } })).status,
      403,
    );
  });

  it('knows its own origin from the base URL, and then no page of this machine', async (t) => {
    const world = await createWorld(t, { baseUrl: 'https://memories.example/mine' });
    const key = world.addAccount('a');
    for (const [origin, status] of [
      ['https://memories.example', 200],
      ['http://memories.example', 403],
      ['http://localhost:3000', 403],
    ] as const)
      assert.equal((await post(`${world.url}/mine`, key, { headers: { origin } })).status, status);
  });

  it('advertises no OAuth, which would make clients ignore their key', async (t) => {
    const { url } = await createWorld(t);
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/mcp',
      '/.well-known/openid-configuration',
      '/register',
    ]) {
      const response = await fetch(url + path);
      assert.equal(response.status, 404, path);
      assert.equal(typeof ((await response.json()) as { detail: string }).detail, 'string');
      const posted = await fetch(url + path, { method: 'POST', body: '{}' });
      assert.equal(posted.status, 404, path);
      await posted.body?.cancel();
    }
  });

  it('refuses what is no message with the code for it', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const [body, status, code] of [
      ['', 400, -32_700],
      ['{', 400, -32_700],
      ['\xff', 400, -32_700],
      ['7', 400, -32_600],
      ['null', 400, -32_600],
      [JSON.stringify([LIST, LIST]), 400, -32_600],
      ['[]', 400, -32_600],
      [nested, 400, -32_600],
      [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${nested}}}`, 400, -32_600],
      ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, -32_600],
      ['{"id":1}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":7}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', 400, -32_600],
    ] as const) {
      const bytes = body === '\xff' ? new Uint8Array([0xff]) : body;
      const response = await post(world.url, key, { body: bytes });
      assert.equal(response.status, status, body.slice(0, 60));
      assert.equal(response.json.error.code, code, body.slice(0, 60));
      assert.doesNotMatch(response.text, /node_modules|    at /);
    }
    assert.equal(
      (await post(world.url, key, { headers: { 'content-type': 'text/plain' } })).status,
      415,
    );
    assert.equal(
      (await post(world.url, key, { headers: { 'content-encoding': 'gzip' } })).status,
      415,
    );
    const { json } = await post(world.url, key, {
      body: JSON.stringify({ ...LIST, method: 'no/such' }),
    });
    assert.equal(json.error.code, -32_601);
    assert.deepEqual(
      world.log.filter(({ message }) => message !== 'request'),
      [],
      'none of it is an error of ours',
    );
  });

  it('checks the version and headers of the new protocol', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const meta = (version: string) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    const send = (version: string, headers: Record<string, string>) =>
      post(world.url, key, {
        headers,
        body: JSON.stringify({ ...LIST, params: { _meta: meta(version) } }),
      });
    const good = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    assert.equal((await send('2026-07-28', good)).status, 200);
    const unknown = await send('2099-01-01', { ...good, 'mcp-protocol-version': '2099-01-01' });
    assert.deepEqual([unknown.status, unknown.json.error.code], [400, -32_022]);
    assert.deepEqual(unknown.json.error.data.supported, ['2026-07-28']);
    const other = await send('2026-07-28', { ...good, 'mcp-method': 'tools/call' });
    assert.deepEqual([other.status, other.json.error.code], [400, -32_020]);
  });

  it('takes bodies of 64 kB, with a length or in chunks, and refuses longer ones', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const bodyOf = (bytes: number) => {
      const body = JSON.stringify({ ...LIST, params: { _meta: { x: '' } } });
      return body.replace('"x":""', `"x":"${'y'.repeat(bytes - body.length)}"`);
    };
    const inChunks = (body: string) =>
      ({ body: new Blob([body]).stream(), duplex: 'half' }) as unknown as Options;
    assert.equal((await post(world.url, key, { body: bodyOf(65_536) })).status, 200);
    assert.equal((await post(world.url, key, { body: bodyOf(65_537) })).status, 413);
    for (const [bytes, status] of [
      [65_536, 200],
      [65_537, 413],
      [2_000_000, 413],
    ] as const) {
      const response = await fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...inChunks(bodyOf(bytes)),
      });
      assert.equal(response.status, status);
      await response.body?.cancel();
    }
    const { gateway } = world;
    const request = new Request('http://gateway/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: bodyOf(70_000),
    });
    assert.equal((await gateway.fetch(request)).status, 413);
  });

  it('sends several messages on one connection, and invites a body that is announced', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const body = JSON.stringify(LIST);
    const head = (more = '') =>
      `POST /mcp HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n`;
    const socket = connect(world.port, '127.0.0.1');
    t.after(() => socket.destroy());
    let said = '';
    socket.on('data', (part) => (said += String(part)));
    const until = async (pattern: RegExp) => {
      while (!pattern.test(said)) await once(socket, 'data');
    };
    socket.write(head() + body + head() + body);
    await until(/(HTTP\/1.1 200 OK[^]*"id":1\}){2}/);
    assert.doesNotMatch(said, /connection: close/i);
    said = '';
    socket.write(head('expect: 100-continue\r\n'));
    await until(/^HTTP\/1.1 100 Continue\r\n\r\n/);
    socket.write(body);
    await until(/"id":1\}/);
    assert.match(said, /HTTP\/1.1 200 OK/);
    said = '';
    socket.write(head('expect: 100-continue\r\n').replace(key, 'none'));
    await until(/detail/);
    assert.match(said, /^HTTP\/1.1 401 /, 'nobody sends a body that is refused');
    assert.match(said, /connection: close/i);
  });

  it('answers a body that breaks off, and one whose chunks are malformed', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    const start = `POST /mcp HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
    for (const rest of [
      'transfer-encoding: chunked\r\n\r\n5\r\n{"jso\r\nZZ\r\n',
      'content-length: 100\r\n\r\n{"jsonrpc"',
    ]) {
      const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.end(start + rest);
      const said = await text(socket);
      assert.match(said, /^HTTP\/1\.1 400 /, rest);
      assert.match(said, /connection: close/i);
      assert.match(said, /\{"detail":"[^"]+"\}$/);
    }
    assert.equal((await post(world.url, key, {})).status, 200, 'others are served');
  });

  it('follows a revocation with the next message, and the limit for invalid keys', async (t) => {
    const world = await createWorld(t, {
      throttle: { perMinute: 3, proxies: ['127.0.0.1'] },
    });
    world.addAccount('a', memories(3));
    const { id, key } = world.addKey('a');
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const body = JSON.stringify(fetchTool('m001'));
    assert.match((await post(world.url, key, { headers, body })).text, /xxxxx/);
    world.writer.keys.revoke(id);
    for (const status of [401, 401, 401, 429])
      assert.equal((await post(world.url, key, { headers, body })).status, status);
  });

  it('finishes a call whose key is revoked meanwhile, and leaks nothing', async (t) => {
    const world = await createWorld(t, { wrap: answerLater });
    world.addAccount('a', memories(3));
    const { id, key } = world.addKey('a');
    const running = post(world.url, key, { body: JSON.stringify(fetchTool('m001')) });
    world.writer.keys.revoke(id);
    const { status, text: said } = await running;
    assert.ok(status === 200 ? said.includes('xxxxx') : status === 401, said);
    assert.equal((await post(world.url, key, {})).status, 401);
  });

  it('closes connections while it drains, and refuses when it is closed', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a');
    await post(world.url, key, {});
    world.gateway.drain();
    const response = await post(world.url, key, {});
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('connection'), 'close');
    await world.gateway.close();
    assert.equal((await post(world.url, key, {})).status, 503);
  });

  it('logs the tool, the time and the size of a call, and never its arguments', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a', [memory({ id: 'secret-id', transcript: 'Mira: aardvark' })]);
    const agent = createAgent('2026-07-28', sendBy(fetch, `${world.url}/mcp`, key));
    await agent.call('search', { query: 'aardvark' });
    await agent.call('fetch', { id: 'secret-id' });
    await agent.request('tools/list');
    const entries = world.log.map(({ fields }) => fields);
    assert.deepEqual(
      entries.map(({ route, method, status }) => [route, method, status]),
      [
        ['mcp.search', 'POST', 200],
        ['mcp.fetch', 'POST', 200],
        ['mcp', 'POST', 200],
      ],
    );
    for (const { bytes, duration_ms } of entries)
      assert.ok(Number(bytes) > 100 && Number(duration_ms) > 0);
    assert.doesNotMatch(JSON.stringify(world.log), /aardvark|secret-id/);
  });

  it('answers hundreds of calls at once, each with its own account', async (t) => {
    const world = await createWorld(t);
    const keys = ['a', 'b'].map((name) =>
      world.addAccount(name, [memory({ id: 'same', transcript: `Mira: I am ${name}.` })]),
    );
    const body = JSON.stringify(fetchTool('same'));
    // In rounds: beside other tests, the last of a thousand connections came to its request after 10 s, too late.
    for (let round = 0; round < cases(5, 1); round++) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => post(world.url, keys[i % 2] ?? '', { body })),
      );
      for (const [i, { status, text: said }] of answers.entries()) {
        assert.equal(status, 200);
        assert.match(said, i % 2 === 0 ? /I am a\./ : /I am b\./);
        assert.doesNotMatch(said, i % 2 === 0 ? /I am b\./ : /I am a\./);
      }
    }
  });

  it('serves others when callers leave in the middle of a call', async (t) => {
    const world = await createWorld(t, { wrap: answerLater });
    const key = world.addAccount('a', memories(50, 2000));
    const leaving = Array.from({ length: 50 }, async () => {
      const controller = new AbortController();
      const call = fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(fetchTool('m001')),
        signal: controller.signal,
      }).then((response) => response.text());
      setImmediate(() => controller.abort());
      await call.catch(() => {});
    });
    await Promise.all(leaving);
    assert.equal((await post(world.url, key, {})).status, 200);
    assert.deepEqual(
      world.log.filter(({ message }) => message !== 'request'),
      [],
    );
  });
});
