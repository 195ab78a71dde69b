// Embedding: a gateway in another program frees everything that it takes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import type { Api } from '../../src/contract/api.ts';
import type { CreateMount } from '../../src/gateway/mount.ts';
import { connectGateway } from '../../src/gateway/open.ts';
import {
  createGateway,
  Failure,
  openGateway,
  openStore,
  Refusal,
  type Gateway,
} from '../../src/index.ts';
import { createDatabase, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { listen } from '../support/world/server-in-process.ts';
import { createWorld, memories } from '../support/world/world.ts';

/**
 * Creates a database that nothing else in this process has open, because SQLite shares open files
 * within a process.
 */
function newDatabase() {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const key = withFileWriterSync(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    for (const each of memories(30, 20_000)) writer.memories.put('ana', each);
    return writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null }).key;
  });
  return { database, key: issued(key) };
}

/** Returns the open files of this process that belong to a database. */
function openFiles(database: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(database) ? [file] : [];
    } catch {
      return []; // the descriptor that read the folder is closed again
    }
  });
}

/**
 * Returns the resources of the process besides files: handles and timers, signal listeners, and
 * globals.
 */
async function holdings() {
  await setImmediate(); // Node's pending work is done
  return {
    resources: process.getActiveResourcesInfo().toSorted(),
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    globals: Reflect.ownKeys(globalThis).map((name) => [
      name,
      Object.getOwnPropertyDescriptor(globalThis, name)?.value,
    ]),
  };
}

/** Follows the changes of an account, and stops at the end. */
async function followToItsEnd({ changes }: Api): Promise<void> {
  const stop = new AbortController();
  let followed = 0;
  const follow = async () => {
    for await (const { items } of changes.follow({ limit: 20 }, { signal: stop.signal })) {
      followed += items.length;
      if (followed === 30) globalThis.setImmediate(() => stop.abort());
    }
  };
  await assert.rejects(follow(), (error: Failure) => error.reason === 'abort');
  assert.equal(followed, 30);
}

describe('A gateway that is opened in a larger program', () => {
  it('frees everything: opened, used and closed 50 times, it leaves nothing', async () => {
    const { database, key } = newDatabase();
    const headers = { authorization: `Bearer ${key}` };
    const use = async () => {
      const gateway = openGateway({ database, baseUrl: '/recordings' });
      assert.ok(openFiles(database).length > 0);
      assert.equal((await gateway.as('ana').memories.list()).length, 30);
      await followToItsEnd(gateway.as('ana'));
      for (const path of [
        'v1/memories',
        'v1/memories?q=hello&fields=id',
        'v1/memories/m001',
        'v1/changes',
        'readyz',
        'v1/none',
        'docs',
        'docs/style.css',
        'openapi.json',
      ]) {
        const url = `http://host/recordings/${path}`;
        for (const coding of ['identity', 'gzip'] as const) {
          const request = new Request(url, { headers: { ...headers, 'accept-encoding': coding } });
          await (await gateway.fetch(request)).arrayBuffer();
        }
      }
      const server = createServer(gateway.listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      assert.equal((await send(port, { path: '/recordings/v1/memories/m001', key })).status, 200);
      await new Promise((resolve) => server.close(resolve));
      const unread = await gateway.fetch(new Request('http://host/v1/memories', { headers }));
      assert.equal(unread.status, 200);
      await gateway.close();
      await gateway.close();
    };
    await use(); // modules that Node loads on first use do not count
    const held = await holdings();
    for (let i = 0; i < 50; i++) await use();
    assert.deepEqual(openFiles(database), []);
    assert.deepEqual(await holdings(), held);
  });

  it('returns 503 after it was closed, through every entry point, without a log entry', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(60, 40_000));
    const unread = await world.gateway.fetch(
      new Request('http://host/v1/memories', { headers: { authorization: `Bearer ${key}` } }),
    );
    const following = world.gateway.as('ana').changes.follow({}, { everyMs: 1 });
    assert.equal((await following.next()).value.items.length, 60);
    assert.equal(await world.gateway.ready(), true);
    await world.gateway.close();
    assert.equal(await world.gateway.ready(), false);
    await assert.rejects(following.next(), (error: Failure) => error.status === 503);
    const paths = ['/v1/memories', '/v1/memories/m001', '/v1/changes', '/readyz'];
    for (const path of paths) {
      const answer = await send(world.port, { path, key });
      assertFailure(answer, 503, path);
      assert.equal(answer.headers['connection'], 'close');
    }
    const headers = { authorization: `Bearer ${key}` };
    for (const path of paths) {
      const answer = await world.gateway.fetch(new Request(`http://host${path}`, { headers }));
      assert.equal(answer.status, 503, path);
    }
    assertFailure(await send(world.port, {}), 401, 'without a key');
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
    await assert.rejects(unread.text(), (error: Failure) => error.status === 503);
    await assert.rejects(
      world.gateway.as('ana').memories.list(),
      (error) => error instanceof Failure && error.status === 503,
    );
    assert.deepEqual(
      world.log.filter(({ message }) => message !== 'request'),
      [],
    );
  });

  it('is refused in a sentence when its file or its base address makes no sense', async () => {
    const { database } = newDatabase();
    for (const baseUrl of [
      'recordings',
      '//host',
      '/a//b',
      '/a?b',
      '/a#b',
      '/<a>',
      'ftp://h/',
      'http://',
      'http://h:x',
    ]) {
      assert.throws(() => openGateway({ database, baseUrl }), Refusal, baseUrl);
    }
    for (const baseUrl of [
      '',
      '/',
      '/a',
      '/a/',
      '/a/b.c~d',
      'http://h',
      'https://h:8/a/',
      'http://[::1]:1',
    ])
      await openGateway({ database, baseUrl }).close();
    assert.throws(() => openGateway({ database: `${database}.none` }), Refusal);
    assert.deepEqual(openFiles(database), []);
  });

  it('names the accepted values if a program passes something else', async () => {
    const cases: [given: unknown, got: string][] = [
      [undefined, 'undefined'],
      [null, 'null'],
      ['x', 'a string'],
      [{}, 'an object with no properties'],
      [{ databse: 'x', log: console }, 'an object with databse, log'],
      [{ database: 7 }, 'a number as "database"'],
      [{ database: '' }, 'an empty string as "database"'],
      [{ database: undefined }, 'undefined as "database"'],
      [{ database: {} }, 'an object as "database"'],
    ];
    for (const [given, got] of cases) {
      const refusalOf = (name: string) => (error: unknown) => {
        assert.ok(error instanceof Refusal, got);
        const takes = `call it with the path of a database: ${name}({ database: 'memories.db' })`;
        assert.equal(error.message, `${name} got ${got}; ${takes}.`);
        return true;
      };
      const options = given as { readonly database: string };
      assert.throws(() => openGateway(options), refusalOf('openGateway'));
      await assert.rejects(connectGateway(options), refusalOf('connectGateway'));
    }
    assert.throws(
      () => openGateway({ database: 'postgres://user:secret@host/memories' }),
      /^Refusal: openGateway takes a SQLite file; for PostgreSQL, use "await connectGateway/,
    );
  });

  it('is refused with a base path that is one of its own', () => {
    const { database } = newDatabase();
    for (const baseUrl of [
      '/app',
      '/v1',
      '/V1/',
      '/mcp/x',
      '/docs',
      '/oauth',
      '/openapi.json',
      'https://public.example/v1/docs',
    ])
      assert.throws(() => openGateway({ database, baseUrl }), Refusal, baseUrl);
  });

  it('takes its base path from requests that begin with it, unless the host has done so', async (t) => {
    const { database, key } = newDatabase();
    const headers = { authorization: `Bearer ${key}` };
    const statusOf = async (gateway: Gateway, path: string) => {
      const { status, headers: answered } = await gateway.fetch(
        new Request(`http://host${path}`, { headers }),
      );
      if (status === 200 && path.includes('/v1'))
        assert.ok(answered.get('link')?.startsWith('</a/b/v1/memories?cursor='), path);
      return status;
    };
    const kept = openGateway({ database, baseUrl: '/a/b' });
    const stripped = openGateway({ database, baseUrl: '/a/b', isBaseStripped: true });
    t.after(() => kept.close());
    t.after(() => stripped.close());
    for (const path of ['/v1/memories?limit=1', '/docs', '/openapi.json', '/readyz']) {
      assert.equal(await statusOf(kept, `/a/b${path}`), 200, path);
      assert.equal(await statusOf(kept, path), 200, path);
      assert.equal(await statusOf(stripped, path), 200, path);
      assert.equal(await statusOf(stripped, `/a/b${path}`), 404, path);
    }
    assert.equal(await statusOf(kept, '/a/bc/v1/memories'), 404);
  });

  it('gives a mount of its host every path below the base path', async (t) => {
    const { database } = newDatabase();
    const custom: CreateMount = () => ({
      owns: (path) => path === '/custom',
      commonHeaders: () => [],
      handle: () => ({ body: Buffer.from('own'), type: 'text/plain' }),
    });
    const gateway = createGateway(openStore(database), { baseUrl: '/x', mounts: [custom] });
    t.after(() => gateway.close());
    const response = await gateway.fetch(new Request('http://host/x/custom'));
    assert.equal(await response.text(), 'own');
  });

  it('can create a mount that asks for an account while it is created', async (t) => {
    const { database, key } = newDatabase();
    const asked: unknown[] = [];
    const early: CreateMount = ({ authenticate, mcp }) => {
      const headers = new Map([['x-api-key', [key]]]);
      asked.push(authenticate({ headers, clientIp: undefined }), typeof mcp);
      return { owns: () => false, commonHeaders: () => [], handle: () => assert.fail() };
    };
    const gateway = createGateway(openStore(database), { mounts: [early] });
    t.after(() => gateway.close());
    assert.deepEqual([asked.length, asked[0] instanceof Failure, asked[1]], [2, false, 'function']);
  });

  it('continues if its log throws, and accepts a log that is an object with state', async (t) => {
    const { database, key } = newDatabase();
    class Counting {
      lines = 0;
      error(): void {
        this.lines++;
      }
      access(): void {
        this.lines++;
      }
    }
    const counting = new Counting();
    const broken = () => {
      throw new Error('no log');
    };
    for (const log of [counting, { error: broken, access: broken }]) {
      const store = openStore(database);
      const gateway = createGateway({ ...store, memory: broken }, { log });
      const port = await listen(t, createServer(gateway.listener));
      assertFailure(await send(port, { path: '/v1/memories/a', key }), 500);
      const headers = { authorization: `Bearer ${key}` };
      const request = new Request('http://host/v1/memories/a', { headers });
      assert.equal((await gateway.fetch(request)).status, 500);
      await assert.rejects(
        gateway.as('ana').memories.get({ memory_id: 'a' }),
        (error) => error instanceof Failure && error.status === 500,
      );
      await gateway.close();
    }
    assert.equal(counting.lines, 5, 'two requests, each with its error, and a call');
  });

  it('sends a long list also through a host that wraps the response or owns the connections', async (t) => {
    const { database, key } = newDatabase();
    const gateway = openGateway({ database });
    t.after(() => gateway.close());
    const kept: Uint8Array[] = [];
    const server = createServer((request, response) => {
      const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
      response.write = (chunk: Uint8Array) => {
        kept.push(chunk);
        return write(chunk);
      };
      gateway.listener(request, response);
    });
    const { text } = await send(await listen(t, server), { key });
    assert.equal(JSON.parse(text).length, 30);
    assert.equal(Buffer.concat(kept).toString(), text);

    const [ours, theirs] = duplexPair();
    const plain = createServer(gateway.listener);
    plain.emit('connection', ours);
    const parts: Uint8Array[] = [];
    theirs.on('data', (part) => parts.push(part));
    theirs.write(`GET /v1/memories HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`);
    await once(theirs, 'end');
    assert.ok(Buffer.concat(parts).includes(text));
  });

  it('keeps the Vary header of its host', async (t) => {
    const world = await createWorld(t);
    const server = createServer((request, response) => {
      response.setHeader('vary', 'Origin').setHeader('cache-control', 'public');
      world.gateway.listener(request, response);
    });
    const { headers } = await send(await listen(t, server), { path: '/healthz' });
    assert.equal(headers['vary'], 'authorization, x-api-key, accept-encoding, Origin');
    assert.equal(
      headers['cache-control'],
      'private, no-cache',
      'all other paths are the gateway’s',
    );
  });

  it('writes right links if the host removes a path prefix, and trusts no header for it', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(3));
    const gateway = await connectGateway({ database: world.database });
    t.after(() => gateway.close());
    let original = '';
    const server = createServer((request, response) => {
      Object.assign(request, { originalUrl: original + request.url });
      gateway.listener(request, response);
    });
    const port = await listen(t, server);
    for (const [mount, base] of [
      ['', ''],
      ['/api', '/api'],
      ['/a/b~c', '/a/b~c'],
      ['//evil.example', ''],
      ['/a>; rel="x", <b', ''],
      ['/a\r\nx: y', ''],
      ['http://evil.example', ''],
      ['http://any.example/api', '/api'],
    ] as const) {
      original = mount;
      const { headers } = await send(port, { path: '/v1/memories?limit=1', key });
      const link = new RegExp(`^<${base}/v1/memories\\?cursor=[\\w-]+>; rel="next"$`);
      assert.match(headers['link'] ?? '', link, mount);
    }
  });
});
