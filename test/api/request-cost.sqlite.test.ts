// The cost of a request: the statements it prepares and runs, the promises it creates, the bytes it copies.

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { createGateway } from '../../src/gateway/gateway.ts';
import { createServer } from '../../src/gateway/server/server.ts';
import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { openLine } from '../support/wire/open-connection.ts';
import { listen } from '../support/world/server-in-process.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

/**
 * Collects the SQL of every statement that runs until the test ends, and throws if one is prepared.
 */
function noteStatements(t: TestContext): string[] {
  const run: string[] = [];
  const db = new Database(':memory:');
  const statement = Object.getPrototypeOf(db.prepare('select 1')) as object;
  db.close();
  for (const method of ['get', 'all', 'run', 'iterate'] as const) {
    const original = Reflect.get(statement, method) as (...args: unknown[]) => unknown;
    Reflect.set(statement, method, function (this: Database.Statement, ...args: unknown[]) {
      run.push(this.source);
      return original.apply(this, args);
    });
    t.after(() => Reflect.set(statement, method, original));
  }
  const prepare: unknown = Reflect.get(Database.prototype, 'prepare');
  Reflect.set(Database.prototype, 'prepare', (sql: string) => {
    throw new Error(`prepared: ${sql}`);
  });
  t.after(() => Reflect.set(Database.prototype, 'prepare', prepare));
  return run;
}

/** Creates keys that are no longer valid: one revoked, one expired, one of a disabled account. */
function addDeadKeys(world: World): string[] {
  const revoked = world.addKey('ana');
  world.writer.keys.revoke(revoked.id);
  const expired = world.addKey('ana', 1000);
  const disabled = world.addAccount('cy');
  world.writer.accounts.setDisabled('cy', true);
  return [revoked.key, expired.key, disabled];
}

/**
 * Stops the clock of the gateway. On a busy machine a request may take longer than a slice: it then runs in parts, and
 * the next one waits for its turn.
 */
function stopClock(t: TestContext): void {
  t.mock.method(performance, 'now', () => 0);
}

/** Serves an account of eight memories, and counts the work of its server from now on. */
async function createCounted(t: TestContext, cacheBytes?: number) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(8));
  const window = { started_after: Date.parse('2027-01-01'), started_before: null };
  const windowed = world.addKey('ana', null, { reads: 'all', ...window }).key;
  const dead = addDeadKeys(world);
  const store = openStore(world.database);
  t.after(() => store.close());
  const sent: unknown[] = [];
  const promises = { made: 0 };
  const hook = createHook({ init: (_, type) => void (type === 'PROMISE' && promises.made++) });
  const read: unknown[] = [];
  const watched = {
    ...store,
    memory: (...args: Parameters<typeof store.memory>) => {
      const found = store.memory(...args);
      read.push(found?.bytes);
      return found;
    },
  };
  const gateway = createGateway(watched, { cacheBytes });
  const server = createServer((request, response) => {
    const end = Reflect.get(response, 'end') as () => void;
    response.end = (body?: unknown) => {
      sent.push(body);
      Reflect.apply(end, response, [body]);
      hook.disable();
      return response;
    };
    hook.enable();
    gateway.listener(request, response);
  });
  const line = await openLine(await listen(t, server));
  t.after(() => line.end());
  const ask = async (target: string) => assert.equal((await line.ask(key, target)).status, 200);
  const refuse = async (other: string) =>
    assert.equal((await line.ask(other, '/v1/memories/m000')).status, 401);
  // The first requests prepare the statements for later ones.
  for (const target of ['/m000', '/m000?fields=name', '', '?fields=name', '?order=asc'])
    await ask(`/v1/memories${target}`);
  // A short page is one row, by a statement of its own.
  for (const target of ['?limit=5', '?limit=5&fields=name']) await ask(`/v1/memories${target}`);
  await ask('/v1/changes');
  for (const id of ['m000', 'nowhere'])
    assert.equal((await line.ask(windowed, `/v1/memories/${id}`)).status, 404);
  return {
    world,
    key,
    line,
    windowed,
    dead,
    ask,
    refuse,
    gateway,
    sent,
    read,
    promises,
    statements: noteStatements(t),
  };
}

/** The statements of a transaction that reads nothing: begin, the check for a commit, end. */
const TRANSACTION = 3;

describe('A request', () => {
  it('prepares no statement, and runs at most one for a memory and two for a list in its transaction', async (t) => {
    const { ask, statements } = await createCounted(t, 0);
    stopClock(t);
    for (const [target, most] of [
      ['/v1/memories/m001', 1],
      ['/v1/memories/m001?fields=name', 1],
      ['/v1/memories', 2],
      ['/v1/memories?limit=5', 2],
      ['/v1/memories?limit=5&fields=name', 2],
    ] as const) {
      statements.length = 0;
      await ask(target);
      const { length } = statements;
      assert.ok(length > TRANSACTION && length <= TRANSACTION + most, `${target}: ${length}`);
    }
  });

  it('through a window runs as many statements for a memory outside as for one that does not exist', async (t) => {
    const { line, windowed, statements } = await createCounted(t, 0);
    stopClock(t);
    const counts = new Set<number>();
    for (const id of ['m001', 'nowhere', 'm002', 'nothing']) {
      statements.length = 0;
      assert.equal((await line.ask(windowed, `/v1/memories/${id}`)).status, 404);
      counts.add(statements.length);
    }
    assert.equal(counts.size, 1, `${[...counts].join(', ')} statements`);
  });

  it('runs at most six statements more after a commit, and none the next time', async (t) => {
    const { world, ask, statements } = await createCounted(t, 0);
    world.writer.memories.put('ana', memory({ id: 'new' }));
    statements.length = 0;
    await ask('/v1/memories/m001');
    const { length } = statements.splice(0);
    assert.ok(length > TRANSACTION + 1 && length <= TRANSACTION + 7, `${length} statements`);
    await ask('/v1/memories/m001');
    assert.ok(statements.length <= TRANSACTION + 1, `${statements.length} statements`);
  });

  it('with a wrong key runs as many statements as with any other wrong key, at most three', async (t) => {
    const { dead, statements, refuse } = await createCounted(t);
    const counts = new Set<number>();
    for (const each of [createApiKey(), ...dead, ...dead]) {
      statements.length = 0;
      await refuse(each);
      counts.add(statements.length);
    }
    assert.equal(counts.size, 1, `${[...counts].join()} statements`);
    assert.ok([...counts].every((count) => count <= TRANSACTION));
  });

  it('reads only whether a commit happened if its response is cached', async (t) => {
    const { ask, statements } = await createCounted(t);
    for (const target of ['/v1/memories/m000', '/v1/memories?limit=5', '/v1/changes']) {
      statements.length = 0;
      await ask(target);
      assert.ok(statements.length <= TRANSACTION, `${target}: ${statements.length}`);
    }
  });

  it('shares its transaction with the requests that arrived in the same turn', async (t) => {
    const { world, key, gateway, statements } = await createCounted(t);
    t.mock.method(performance, 'now', () => 0); // the event loop turn never ends, even on a busy machine
    const ask = (id: string) =>
      gateway.fetch(
        new Request(`${world.url}/v1/memories/${id}`, { headers: { 'x-api-key': key } }),
      );
    const responses = await Promise.all(['m001', 'm002', 'm003', 'm000', 'm000'].map(ask));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    // One statement for each memory that is not cached.
    assert.ok(statements.length <= TRANSACTION + 3, `${statements.length} statements`);
  });

  it('waits at most one turn for a crowd of others', async (t) => {
    const turns = new Set<number>();
    let turn = 0;
    const memorySlowly = () => {
      turns.add(turn);
      const ends = performance.now() + 3;
      while (performance.now() < ends);
      return undefined;
    };
    const world = await createWorld(t, { wrap: (store) => ({ ...store, memory: memorySlowly }) });
    const key = world.addAccount('ana');
    const count = () => void (turn++, turn < 1000 && setImmediate(count));
    count();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        world.gateway.fetch(
          new Request(`${world.url}/v1/memories/x${i}`, { headers: { 'x-api-key': key } }),
        ),
      ),
    );
    turn = 1000;
    assert.ok(turns.size >= 10, `20 reads of 3 ms in ${turns.size} turns`);
  });

  it('creates no promise from its arrival to its response', async (t) => {
    const { ask, promises, sent } = await createCounted(t);
    stopClock(t);
    await ask('/v1/memories/m000'); // if the first ones took long, this one waits for its turn, and no other
    sent.length = 0;
    promises.made = 0;
    for (const target of ['m000', 'm001', 'm001?fields=name']) await ask(`/v1/memories/${target}`);
    for (const query of ['limit=5', 'limit=6', 'order=asc']) await ask(`/v1/memories?${query}`);
    await ask('/v1/changes?limit=3');
    assert.equal(sent.length, 7);
    assert.equal(promises.made, 0);
  });

  it('copies no byte of a memory: the bytes that SQLite returned are cached and sent', async (t) => {
    const { ask, read, sent } = await createCounted(t);
    read.length = sent.length = 0;
    await ask('/v1/memories/m001');
    await ask('/v1/memories/m001');
    assert.equal(read.length, 1);
    assert.ok(read[0] instanceof Uint8Array);
    assert.ok(sent[0] === read[0] && sent[1] === read[0]);
  });
});
