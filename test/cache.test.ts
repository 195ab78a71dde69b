// The cache: what it saves, what it may weigh, and that nothing it holds outlives a commit.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';

import { andThen } from '../src/contract/awaitable.ts';
import { toJson } from '../src/contract/json.ts';
import { routes } from '../src/contract/routes.ts';
import { readCacheBytes, withCache } from '../src/gateway/cache.ts';
import { NONE, readCondition } from '../src/gateway/condition.ts';
import type { Handled } from '../src/gateway/handle.ts';
import { onlyFiles } from './support/engine.ts';
import { openLine, type Line } from './support/line.ts';
import { start, stop, waitFor } from './support/program.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

/** Where every read asks a server, fewer tell as much. */
const REVOCATIONS = onlyFiles ? 200 : 2000;
const WRITES = onlyFiles ? 100 : 1000;
const AT_ONCE = 4;

/** A server in a process of its own over a database that this process writes, and lines to it. */
async function serveElsewhere(t: TestContext) {
  const world = await createWorld(t, { isInMemory: true });
  const server = start(['serve', '--database', world.database, '--port', '0']);
  t.after(() => stop(server));
  const [, port] =
    /http:\/\/127\.0\.0\.1:(\d+)/.exec(await waitFor(server, 'stdout', /listening/)) ?? [];
  const lines = await Promise.all(
    Array.from({ length: 2 * AT_ONCE }, () => openLine(Number(port))),
  );
  t.after(() => lines.forEach((line) => line.end()));
  return { world, before: lines.slice(0, AT_ONCE), after: lines.slice(AT_ONCE) };
}

const askAll = (lines: readonly Line[], key: string, target: string) =>
  Promise.all(lines.map((line) => line.ask(key, target)));

describe('What another process commits', () => {
  it(`counts for the request that is sent next: ${REVOCATIONS} keys revoked amid requests`, async (t) => {
    const { world, before, after } = await serveElsewhere(t);
    world.addAccount('ana', [memory({ id: 'one' })]);
    const keys = world.writer.transaction(() =>
      Array.from({ length: REVOCATIONS }, () => world.addKey('ana')),
    );
    const target = '/v1/memories/one';
    const seen = new Map<number, number>();
    for (const { id, key } of keys) {
      // Three times, so that what can be kept of key and memory is kept.
      for (let i = 0; i < 3; i++) assert.equal((await before[0]?.ask(key, target))?.status, 200);
      const amid = askAll(before, key, target);
      world.writer.keys.revoke(id);
      const late = askAll(after, key, target);
      for (const { status } of await late) assert.equal(status, 401, 'served after its end');
      for (const { status } of await amid) seen.set(status, 1 + (seen.get(status) ?? 0));
    }
    t.diagnostic(`amid the commits: ${JSON.stringify(Object.fromEntries(seen))}`);
    // Before the commit, or behind it: how many of either is a matter of the machine.
    for (const status of seen.keys()) assert.ok(status === 200 || status === 401, `${status}`);
  });

  it(`is read by the request that is sent next: ${WRITES} writes amid requests`, async (t) => {
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

describe('The cache', () => {
  it('keeps nothing of a store whose reads may be of two states', async (t) => {
    let reads = 0;
    const world = await createWorld(t, {
      wrap: ({ together: _, ...store }) => ({
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

const endpoint = { name: 'memories.get', route: routes.memories.get };
const caller = { account_id: 'ana', revision: 'r1' };

/** A cache of so many bytes over a handler that answers with so many; `made` says for what it was called. */
function cacheOf(maxBytes: number, sizes: Readonly<Record<string, number>>) {
  const made: string[] = [];
  const { handle, stats } = withCache(
    ({ key }) => {
      made.push(key);
      // Random, so that it does not compress to nothing.
      const text = randomBytes(sizes[key] ?? 0).toString('base64');
      const body = toJson(text.slice(0, (sizes[key] ?? 0) - 2));
      return { etag: key, body };
    },
    maxBytes,
    true,
  );
  const ask = (key: string, given = {}) =>
    handle(
      { endpoint, input: {}, key },
      { caller, condition: NONE, isGone: () => false, ...given },
    ) as Handled;
  return { made, ask, stats };
}

describe('What is kept', () => {
  it('is asked of the handler once for each account, state and question', () => {
    const { made, ask } = cacheOf(100_000, { a: 1000, b: 1000 });
    const first = ask('a');
    assert.equal(ask('a').body, first.body, 'the same bytes, without a copy');
    ask('b');
    ask('a', { caller: { ...caller, revision: 'r2' } });
    ask('a', { caller: { ...caller, account_id: 'bo' } });
    ask('a');
    assert.deepEqual(made, ['a', 'b', 'a', 'a']);
  });

  it('is 304 to who holds it, also where only its etag is known', () => {
    const { made, ask } = cacheOf(100_000, { a: 1000 });
    const condition = readCondition(['"a"']);
    ask('a');
    assert.deepEqual(ask('a', { condition }), { etag: 'a', body: null });
    assert.notEqual(ask('a', { condition: readCondition(['"b"']) }).body, null);
    assert.deepEqual(made, ['a']);
  });

  it('weighs no more than it may, and leaves by the time it was last asked for', () => {
    const sizes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 10_000]));
    const { made, ask } = cacheOf(100_000, sizes);
    const names = Object.keys(sizes);
    names.slice(0, 8).forEach((name) => ask(name));
    ask('k0');
    assert.equal(made.length, 8, 'eight of 10 kB have room in 100 kB');
    names.slice(8, 12).forEach((name) => ask(name));
    made.length = 0;
    ask('k0');
    assert.deepEqual(made, [], 'asked for lately');
    ask('k1');
    assert.deepEqual(made, ['k1'], 'had to go');
  });

  it('is no answer that would take more than an eighth, and nothing where there is no room', () => {
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

  it('is each coding, too, made once and weighed', async () => {
    const names = Array.from({ length: 24 }, (_, i) => `k${i}`);
    const { made, ask } = cacheOf(200_000, Object.fromEntries(names.map((name) => [name, 7000])));
    names.forEach((name) => ask(name));
    assert.deepEqual(made.splice(0), names);
    const packed = await ask('k0').pack?.('gzip');
    assert.equal(await ask('k0').pack?.('gzip'), packed, 'the same bytes');
    const [one, other] = await Promise.all([ask('k1').pack?.('br'), ask('k1').pack?.('br')]);
    assert.ok(one !== undefined && one === other, 'also while they are being made');
    for (const name of names) await ask(name).pack?.('gzip');
    made.length = 0;
    names.toReversed().forEach((name) => ask(name));
    assert.ok(made.length > 6, 'with 5 kB of gzip for each, not all of them have');
  });

  it('is not given up for a coding that has no room beside it', async () => {
    const { made, ask } = cacheOf(100_000, { a: 9000 }); // an eighth holds it, and not its 6.8 kB of gzip
    for (let i = 0; i < 3; i++) await ask('a').pack?.('gzip');
    assert.deepEqual(made, ['a']);
  });

  it('is counted: what was found, what had to be made, and what is kept', () => {
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

  it('is no answer that is still being made', async () => {
    assert.equal(await callsOf({ isTogether: true, revision: undefined }), 2);
  });

  it('is no answer of another state than the key has told, or of one that nobody tells', async () => {
    for (const revision of [undefined, 'r0', 'r2'])
      assert.equal(await callsOf({ isTogether: false, revision }), 2, String(revision));
  });

  it('is an answer that came later, of the very state that the key has told', async () => {
    assert.equal(await callsOf({ isTogether: false, revision: caller.revision }), 1);
  });
});

interface Answering {
  readonly isTogether: boolean;
  /** The state that the answer tells. */
  readonly revision: string | undefined;
}

/** How often a handler that answers later is called by who asks the same twice. */
async function callsOf({ isTogether, revision }: Answering): Promise<number> {
  let calls = 0;
  const { handle } = withCache(
    async () => {
      calls++;
      return { etag: 'a', body: toJson('a'), revision };
    },
    100_000,
    isTogether,
  );
  const asked = { endpoint, input: {}, key: 'a' };
  for (let i = 0; i < 2; i++) await handle(asked, { caller, condition: NONE, isGone: () => false });
  return calls;
}
