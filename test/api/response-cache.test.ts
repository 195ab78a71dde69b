// The response cache: which reads it saves, how large it can grow, and that no entry outlives a commit.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';

import { toJson } from '../../src/contract/json.ts';
import type { EndpointResult } from '../../src/gateway/endpoints/endpoint.ts';
import type { ContentEncoding } from '../../src/gateway/request/encoding.ts';
import { readIfNoneMatch } from '../../src/gateway/request/etag.ts';
import { createCache, readCacheBytes } from '../../src/gateway/response/cache.ts';
import { andThen } from '../../src/lib/async.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { openLine, type Line } from '../support/wire/open-connection.ts';
import { send } from '../support/wire/wire.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** PostgreSQL verifies keys on every request, so fewer requests show the same there. */
const REVOCATIONS = onlyFiles ? 100 : cases(400, 100);
const WRITES = onlyFiles ? 100 : cases(300, 50);
const AT_ONCE = 4;

/**
 * Starts a server in another process for a database that this process writes, with connections to
 * it.
 */
async function serveElsewhere(t: TestContext) {
  const world = await createWorld(t);
  const { port } = await serveAlone(t, world.database);
  const lines = await Promise.all(Array.from({ length: 2 * AT_ONCE }, () => openLine(port)));
  t.after(() => lines.forEach((line) => line.end()));
  return { world, before: lines.slice(0, AT_ONCE), after: lines.slice(AT_ONCE) };
}

const askAll = (lines: readonly Line[], key: string, target: string) =>
  Promise.all(lines.map((line) => line.ask(key, target)));

describe('A commit of another process', () => {
  it(`applies to the next request: ${REVOCATIONS} keys revoked between requests`, async (t) => {
    const { world, before, after } = await serveElsewhere(t);
    world.addAccount('ana', [memory({ id: 'one' })]);
    const keys = world.writer.transaction(() =>
      Array.from({ length: REVOCATIONS }, () => world.addKey('ana')),
    );
    const target = '/v1/memories/one';
    const seen = new Map<number, number>();
    for (const { id, key } of keys) {
      // Three times, so that the key and the memory are cached.
      for (let i = 0; i < 3; i++) assert.equal((await before[0]?.ask(key, target))?.status, 200);
      const amid = askAll(before, key, target);
      world.writer.keys.revoke(id);
      const late = askAll(after, key, target);
      for (const { status } of await late) assert.equal(status, 401, 'served after its revocation');
      for (const { status } of await amid) seen.set(status, 1 + (seen.get(status) ?? 0));
    }
    t.diagnostic(`during the commits: ${JSON.stringify(Object.fromEntries(seen))}`);
    // The number of responses from before and after the commit depends on the machine.
    for (const status of seen.keys()) assert.ok(status === 200 || status === 401, `${status}`);
  });

  it(`is read by the next request: ${WRITES} writes between requests`, async (t) => {
    const { world, before, after } = await serveElsewhere(t);
    const key = world.addAccount('ana', memories(3));
    const put = (name: string) => world.writer.memories.put('ana', memory({ id: 'm001', name }));
    const targets = [
      '/v1/memories/m001',
      '/v1/memories?limit=3',
      '/v1/memories?q=memory',
      '/v1/memories?fields=name',
    ];
    for (let i = 1; i <= WRITES; i++) {
      const target = targets[i % targets.length] as string;
      for (let k = 0; k < 3; k++) await before[0]?.ask(key, target);
      const amid = askAll(before, key, target);
      put(`Memory version ${i}`);
      const late = askAll(after, key, target);
      for (const { body } of await late) assert.match(body, new RegExp(`"Memory version ${i}"`));
      for (const { status } of await amid) assert.equal(status, 200);
    }
  });
});

describe('The response cache', () => {
  it('caches nothing of a store without read transactions', async (t) => {
    let reads = 0;
    const world = await createWorld(t, {
      wrap: ({ readTransaction: _, ...store }) => ({
        ...store,
        memory: (...args) => {
          reads++;
          return andThen(
            store.memory(...args),
            (found) => found && { ...found, revision: undefined },
          );
        },
      }),
    });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    for (let i = 0; i < 2; i++)
      assert.equal((await send(world.port, { path: '/v1/memories/one', key })).status, 200);
    assert.equal(reads, 2);
  });

  it(
    'serves the state of a backup that was restored into the file',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(3));
      const { default: Database } = await import('better-sqlite3');
      const backup = `${world.database}.backup`;
      const writer = new Database(world.database);
      await writer.backup(backup);
      writer.close();
      const paths = ['/v1/memories', '/v1/memories/m001', '/v1/memories?q=memory', '/v1/changes'];
      const ask = () => Promise.all(paths.map((path) => send(world.port, { path, key })));
      const first = await ask();
      world.writer.memories.put('ana', memory({ id: 'm001', name: 'Memory of a lost time' }));
      world.writer.memories.delete('ana', 'm002');
      const lost = await ask();
      const source = new Database(backup, { readonly: true });
      await source.backup(world.database);
      source.close();
      const again = await ask();
      paths.forEach((path, i) => {
        assert.notEqual(lost[i]?.text, first[i]?.text, path);
        assert.equal(again[i]?.text, first[i]?.text, path);
        assert.equal(again[i]?.headers['etag'], first[i]?.headers['etag'], path);
      });
    },
  );
});

const caller = { account_id: 'ana', revision: 'r1' };

/** A call that no client waits for and that has no copy. */
const UNCONDITIONAL = {
  condition: undefined,
  headers: undefined,
  transport: { signal: undefined },
};

/** Returns the body of a result in a content encoding, as a response does. */
function encoded({ encoded: own }: EndpointResult, encoding: ContentEncoding) {
  return own?.made[encoding] ?? own?.make(encoding);
}

/**
 * Creates a cache of `cacheBytes` over a handler with responses of a given size. `made` lists the
 * handler's calls.
 */
function cacheOf(maxBytes: number, sizes: Readonly<Record<string, number>>) {
  const made: string[] = [];
  const { run: runCached, stats } = createCache(maxBytes, true);
  const run = (key: string) => {
    made.push(key);
    // Random, so that compression hardly shortens it.
    const text = randomBytes(sizes[key] ?? 0).toString('base64');
    return { etag: key, body: toJson(text.slice(0, (sizes[key] ?? 0) - 2)) };
  };
  const ask = (key: string, given = {}) =>
    runCached(
      { key, input: undefined, handle: () => run(key) },
      { caller, ...UNCONDITIONAL, ...given },
    ) as EndpointResult;
  return { made, ask, stats };
}

describe('A cached response', () => {
  it('is made once for each account, revision and query', () => {
    const { made, ask } = cacheOf(100_000, { a: 1000, b: 1000 });
    const first = ask('a');
    assert.equal(ask('a').body, first.body, 'the same bytes, without a copy');
    ask('b');
    ask('a', { caller: { ...caller, revision: 'r2' } });
    ask('a', { caller: { ...caller, account_id: 'bo' } });
    ask('a');
    assert.deepEqual(made, ['a', 'b', 'a', 'a']);
  });

  it('is 304 for a client that has it, even if only its etag is cached', () => {
    const { made, ask } = cacheOf(100_000, { a: 1000 });
    const condition = readIfNoneMatch(['"a"']);
    ask('a');
    assert.deepEqual(ask('a', { condition }), { etag: 'a', body: null });
    assert.notEqual(ask('a', { condition: readIfNoneMatch(['"b"']) }).body, null);
    assert.deepEqual(made, ['a']);
  });

  it('is evicted by last use when the cache is full', () => {
    const sizes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 10_000]));
    const { made, ask } = cacheOf(100_000, sizes);
    const names = Object.keys(sizes);
    names.slice(0, 8).forEach((name) => ask(name));
    ask('k0');
    assert.equal(made.length, 8, 'eight of 10 kB have room in 100 kB');
    names.slice(8, 12).forEach((name) => ask(name));
    made.length = 0;
    ask('k0');
    assert.deepEqual(made, [], 'used recently');
    ask('k1');
    assert.deepEqual(made, ['k1'], 'evicted');
  });

  it('is at most an eighth of the cache', () => {
    const { made, ask } = cacheOf(100_000, { large: 13_000 });
    ask('large');
    ask('large');
    assert.deepEqual(made, ['large', 'large']);
    const none = cacheOf(0, { a: 1000 });
    none.ask('a');
    none.ask('a');
    assert.deepEqual(none.made, ['a', 'a']);
    for (const wrong of [-1, 1.5, Number.NaN])
      assert.throws(() => readCacheBytes(wrong), /cacheBytes takes a whole number/);
  });

  it('has its compressed forms cached and counted as well', async () => {
    const names = Array.from({ length: 24 }, (_, i) => `k${i}`);
    const { made, ask } = cacheOf(200_000, Object.fromEntries(names.map((name) => [name, 7000])));
    names.forEach((name) => ask(name));
    assert.deepEqual(made.splice(0), names);
    const packed = await encoded(ask('k0'), 'gzip');
    assert.equal(await encoded(ask('k0'), 'gzip'), packed, 'the same bytes');
    const [one, other] = await Promise.all([encoded(ask('k1'), 'br'), encoded(ask('k1'), 'br')]);
    assert.ok(one !== undefined && one === other, 'even while they are being made');
    for (const name of names) await encoded(ask(name), 'gzip');
    made.length = 0;
    names.toReversed().forEach((name) => ask(name));
    assert.ok(made.length > 6, 'with 5 kB of gzip for each, not all of them have');
  });

  it('is not evicted for its own compressed form', async () => {
    const { made, ask } = cacheOf(100_000, { a: 9000 }); // an eighth of the cache has room for the body, but not for its 6.8 kB of gzip too
    for (let i = 0; i < 3; i++) await encoded(ask('a'), 'gzip');
    assert.deepEqual(made, ['a']);
  });

  it('is counted as a hit, a miss and in bytes', () => {
    const { ask, stats } = cacheOf(100_000, { a: 1000, b: 2000 });
    assert.deepEqual(stats(), { hits: 0, misses: 0, entries: 0, bytes: 0 });
    ask('a');
    const { bytes } = stats();
    assert.ok(bytes > 1000 && bytes < 4000, `${bytes}`);
    for (const key of ['a', 'b', 'a']) ask(key);
    assert.deepEqual({ ...stats(), bytes: 0 }, { hits: 2, misses: 2, entries: 2, bytes: 0 });
    assert.ok(stats().bytes > bytes + 2000);
    const none = cacheOf(0, { a: 1000 });
    for (let i = 0; i < 2; i++) none.ask('a');
    assert.deepEqual(none.stats(), { hits: 0, misses: 0, entries: 0, bytes: 0 });
  });

  it('is complete: a response that is still being made is not cached', async () => {
    assert.equal(await callsOf({ isAtomic: true, revision: undefined }), 2);
  });

  it('is never of another revision than its key was read at', async () => {
    for (const revision of [undefined, 'r0', 'r2'])
      assert.equal(await callsOf({ isAtomic: false, revision }), 2, String(revision));
  });

  it('can be made later, at the revision that its key was read at', async () => {
    assert.equal(await callsOf({ isAtomic: false, revision: caller.revision }), 1);
  });
});

interface Answering {
  readonly isAtomic: boolean;
  /** The revision of the response. */
  readonly revision: string | undefined;
}

/** Counts the calls of an asynchronous handler when a client sends the same request twice. */
async function callsOf({ isAtomic, revision }: Answering): Promise<number> {
  let calls = 0;
  const cache = createCache(100_000, isAtomic);
  const run = async () => {
    calls++;
    return { etag: 'a', body: toJson('a'), revision };
  };
  for (let i = 0; i < 2; i++)
    await cache.run({ key: 'a', input: undefined, handle: run }, { caller, ...UNCONDITIONAL });
  return calls;
}
