// What a request costs, in counts: statements prepared and run, promises made, bytes copied.

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { createGateway } from '../src/gateway/gateway.ts';
import { createServer } from '../src/gateway/server.ts';
import { createApiKey } from '../src/store/apikey.ts';
import { openStore } from '../src/store/sqlite.ts';
import { openLine } from './support/line.ts';
import { listen } from './support/serving.ts';
import { createWorld, memories, memory, type World } from './support/world.ts';

/** What statements are called here, by a part of their SQL that no other has. */
const NAMES: readonly (readonly [part: string, name: string])[] = [
  ['BEGIN', 'begin'],
  ['ROLLBACK', 'end'],
  ['data_version', 'version'],
  ['schema_version', 'changed'],
  ['user_version', 'schema'],
  ['application_id', 'ours'],
  ['"accounts"', 'key'],
  ['"api_keys"', 'keys'],
  ['group_concat', 'piece'],
  ['count(*)', 'tally'],
  ['case when', 'memory'],
  ['from "changes"', 'changes'],
  ['limit', 'list'],
];

function nameOf(sql: string): string {
  return NAMES.find(([part]) => sql.includes(part))?.[1] ?? sql;
}

/** Notes every statement that is run, and fails when one is prepared; until the test ends. */
function noteStatements(t: TestContext): string[] {
  const run: string[] = [];
  const db = new Database(':memory:');
  const statement = Object.getPrototypeOf(db.prepare('select 1')) as object;
  db.close();
  for (const method of ['get', 'all', 'run', 'iterate'] as const) {
    const original = Reflect.get(statement, method) as (...args: unknown[]) => unknown;
    Reflect.set(statement, method, function (this: Database.Statement, ...args: unknown[]) {
      run.push(nameOf(this.source));
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

/** A served account of eight memories, and what its server does from now on. */
/** Keys that open nothing any more: one revoked, one expired, one of a disabled account. */
function addDeadKeys(world: World): string[] {
  const revoked = world.addKey('ana');
  world.writer.keys.revoke(revoked.id);
  const expired = world.addKey('ana', 1000);
  const disabled = world.addAccount('cy');
  world.writer.accounts.setDisabled('cy', true);
  return [revoked.key, expired.key, disabled];
}

async function createCounted(t: TestContext, cacheBytes?: number) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(8));
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
  // What is made once, when it is first wanted, is made now.
  for (const target of ['/m000', '/m000?fields=name', '?limit=5', '?fields=name', '?order=asc'])
    await ask(`/v1/memories${target}`);
  await ask('/v1/changes');
  return {
    world,
    key,
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

/** What every transaction begins with. */
const START = ['begin', 'version'];

describe('A request', () => {
  it('prepares no statement, and runs one for what it asks and one that a list has all of it, in one transaction', async (t) => {
    const { ask, statements } = await createCounted(t, 0);
    for (const [target, ...expected] of [
      ['/v1/memories/m001', 'memory'],
      ['/v1/memories/m001?fields=name', 'memory'],
      ['/v1/memories', 'list', 'tally'],
      ['/v1/memories?limit=5', 'list', 'tally'],
      ['/v1/memories?limit=5&fields=name', 'list', 'tally'],
    ] as const) {
      statements.length = 0;
      await ask(target);
      assert.deepEqual(statements, [...START, ...expected, 'end'], target);
    }
  });

  it('looks up its key and the schema again when anybody has committed', async (t) => {
    const { world, ask, statements } = await createCounted(t, 0);
    world.writer.memories.put('ana', memory({ id: 'new' }));
    statements.length = 0;
    await ask('/v1/memories/m001');
    assert.deepEqual(statements.splice(0), [
      ...START,
      'schema',
      'ours',
      'changed',
      'key',
      'keys',
      'memory',
      'end',
    ]);
    await ask('/v1/memories/m001');
    assert.deepEqual(statements, [...START, 'memory', 'end']);
  });

  it('runs the same statements for a key that is unknown and for any that opens nothing', async (t) => {
    const { dead, statements, refuse } = await createCounted(t);
    for (const each of [createApiKey(), ...dead, ...dead]) {
      statements.length = 0;
      await refuse(each);
      assert.deepEqual(statements, ['begin', 'key', 'end']);
    }
  });

  it('reads nothing but whether anybody has committed, where its answer is kept', async (t) => {
    const { ask, statements } = await createCounted(t);
    for (const target of ['/v1/memories/m000', '/v1/memories?limit=5', '/v1/changes']) {
      statements.length = 0;
      await ask(target);
      assert.deepEqual(statements, [...START, 'end'], target);
    }
  });

  it('shares its transaction with those that have arrived by then', async (t) => {
    const askFive = async (): Promise<string[]> => {
      const { world, key, gateway, statements } = await createCounted(t);
      const ask = (id: string) =>
        gateway.fetch(
          new Request(`${world.url}/v1/memories/${id}`, { headers: { 'x-api-key': key } }),
        );
      const answers = await Promise.all(['m001', 'm002', 'm003', 'm000', 'm000'].map(ask));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      return statements;
    };
    const shared = [...START, 'memory', 'memory', 'memory', 'end'];
    // On a machine that is busy, five may take more than the few milliseconds of a turn.
    let found = await askFive();
    for (let more = 9; more > 0 && found.length !== shared.length; more--) found = await askFive();
    assert.deepEqual(found, shared);
  });

  it('is not held up by a crowd for more than a turn', async (t) => {
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

  it('makes no promise from its arrival to its answer', async (t) => {
    const { ask, promises, sent } = await createCounted(t);
    sent.length = 0;
    promises.made = 0;
    for (const target of ['m000', 'm001', 'm001?fields=name']) await ask(`/v1/memories/${target}`);
    for (const query of ['limit=5', 'limit=6', 'order=asc']) await ask(`/v1/memories?${query}`);
    await ask('/v1/changes?limit=3');
    assert.equal(sent.length, 7);
    assert.equal(promises.made, 0);
  });

  it('copies no byte of a memory: what SQLite gave is what is kept and sent', async (t) => {
    const { ask, read, sent } = await createCounted(t);
    read.length = sent.length = 0;
    await ask('/v1/memories/m001');
    await ask('/v1/memories/m001');
    assert.equal(read.length, 1);
    assert.ok(read[0] instanceof Uint8Array);
    assert.ok(sent[0] === read[0] && sent[1] === read[0]);
  });
});
