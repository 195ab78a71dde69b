// Replicas: responses from them are right even if they lag behind, and an unhealthy replica is not used.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { PostgresOptions, ServerStats } from '../../src/store/servers.ts';
import { databaseAddress } from '../support/engines/database-addresses.ts';
import { startStandby, type Server } from '../support/engines/postgres-cluster.ts';
import { TEMPLATE } from '../support/engines/postgres-servers.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

const skip = process.env['ENGINE'] !== 'postgres' && 'it starts its own standby of PostgreSQL';

/** A standby for this file alone, which the tests stop and pause. */
let standby: Server;
const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-standby-'));

before(async () => {
  if (skip) return;
  const port = Number(new URL(databaseAddress('postgres')).port);
  standby = await startStandby({ port } as Server, folder, 'of_replicas_test');
});

after(async () => {
  if (!skip) {
    await standby.stop('immediate');
    await sql(databaseAddress('postgres'), "SELECT pg_drop_replication_slot('of_replicas_test')");
  }
  rmSync(folder, { recursive: true });
});

async function sql(address: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const onStandby = (text: string) => sql(standby.address('postgres'), text);

/** Kills the standby. It then replays only what came after its last checkpoint: the servers of tests write no full pages, and a longer replay can fail. */
async function killStandby(): Promise<void> {
  await onStandby('CHECKPOINT');
  await standby.stop('immediate');
}

interface Reading extends World {
  readonly gateway: Gateway;
  readonly key: string;
  /** The warnings in the log. */
  readonly told: { readonly message: string; readonly reason: string }[];
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly replica: () => ServerStats;
  readonly primary: () => ServerStats;
  /** Sends requests until the replica is used, or until it is not. */
  readonly untilUsed: (isUsed: boolean) => Promise<void>;
}

/** Creates a gateway that reads from the standby, with three memories. */
async function createReading(t: TestContext, options: PostgresOptions = {}): Promise<Reading> {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(3));
  const told: Reading['told'] = [];
  const replicas = [standby.address(new URL(world.database).pathname.slice(1))];
  const store = await openPostgres(world.database, { replicas, ...options }, (fields, message) => {
    // Other log entries are about closed connections, and about a user who can write.
    const { reason } = fields as { reason?: string };
    if (message.startsWith('replica')) told.push({ message, reason: reason ?? '' });
  });
  const gateway = createGateway(store);
  t.after(() => gateway.close());
  const get: Reading['get'] = (path, headers = {}) =>
    gateway.fetch(
      new Request(`http://gateway${path}`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      }),
    );
  const stats = (at: number) => gateway.stats().servers.at(at) as ServerStats;
  const replica = () => stats(-1);
  const untilUsed: Reading['untilUsed'] = async (isUsed) => {
    for (let i = 0; ; i++) {
      assert.equal((await get(`/v1/memories?limit=${1 + (i % 1000)}`)).status, 200);
      if (replica().isUsed === isUsed) return;
      await sleep(20);
    }
  };
  return { ...world, gateway, key, told, get, replica, primary: () => stats(0), untilUsed };
}

/** Creates a world, and waits until the standby has caught up. */
async function createLevel(t: TestContext, options: PostgresOptions = {}): Promise<Reading> {
  const reading = await createReading(t, options);
  await reading.untilUsed(true);
  await untilLevel();
  return reading;
}

/** Waits until the standby has replayed all writes. */
async function untilLevel(): Promise<void> {
  const [primary] = await sql(databaseAddress('postgres'), 'SELECT pg_current_wal_lsn() AS wal');
  await untilStandby(`pg_last_wal_replay_lsn() >= '${String(primary?.['wal'])}'`);
}

/** Stops the standby from replaying writes. It stops a moment after it was told to. */
async function pause(t: TestContext): Promise<void> {
  t.after(() => onStandby('SELECT pg_wal_replay_resume()'));
  await onStandby('SELECT pg_wal_replay_pause()');
  await untilStandby(`pg_get_wal_replay_pause_state() = 'paused'`);
}

async function untilStandby(condition: string): Promise<void> {
  while (!(await onStandby(`SELECT ${condition} AS holds`))[0]?.['holds']) await sleep(20);
}

const names = async (answer: Response) =>
  ((await answer.json()) as { readonly name: string }[]).map(({ name }) => name);

describe('A replica', { skip }, () => {
  it('serves memories, lists, searches and changes, and the primary serves keys alone', async (t) => {
    const { get, replica, primary } = await createLevel(t);
    const was = { replica: replica().reads, primary: primary().reads };
    const paths = [
      '/v1/memories/m001',
      '/v1/memories?order=asc',
      '/v1/memories?q=hello',
      '/v1/changes?limit=2',
    ];
    for (const path of paths) assert.equal((await get(path)).status, 200, path);
    assert.equal(replica().reads - was.replica, paths.length);
    assert.equal(primary().reads - was.primary, paths.length);
    assert.equal(primary().isUsed, false);
  });

  it('is not behind if there are no words to suggest left to read', async (t) => {
    const { get, replica, primary, writer } = await createLevel(t);
    // More than the words that a search compares, whatever they begin with.
    for (const id of ['one', 'two', 'three']) {
      const words = Array.from({ length: 8000 }, (_, i) => `${id}${i}`).join(' ');
      writer.memories.put('ana', memory({ id, transcript: `Ana: ${words}` }));
    }
    await untilLevel();
    const was = { behind: replica().behind, primary: primary().reads };
    const found = (await (await get('/v1/search?q=xylophone')).json()) as Record<string, unknown>;
    assert.deepEqual(found['absent_words'], ['xylophone']);
    assert.equal(replica().behind, was.behind);
    assert.equal(primary().reads - was.primary, 1, 'of the key');
  });

  it('is used only if it has the state that the key lookup returned: responses are right while it lags behind', async (t) => {
    const { get, replica, writer, told } = await createLevel(t);
    await pause(t);
    const old = await get('/v1/memories?limit=9');
    writer.memories.put('ana', memory({ id: 'm001', name: 'Written' }));
    writer.memories.put('ana', memory({ id: 'new', name: 'Added' }));
    writer.memories.delete('ana', 'm002');
    assert.deepEqual([replica().isUsed, ...told], [true]);
    const was = replica().behind;
    assert.equal(
      ((await (await get('/v1/memories/m001')).json()) as { name: string }).name,
      'Written',
    );
    assert.equal((await get('/v1/memories/new')).status, 200, 'which the replica lacks');
    assert.equal((await get('/v1/memories/m002')).status, 404, 'which the replica has');
    const etag = old.headers.get('etag') ?? '';
    const list = await get('/v1/memories?limit=9', { 'if-none-match': etag });
    assert.equal(list.status, 200);
    assert.notEqual(list.headers.get('etag'), etag);
    assert.deepEqual(new Set(await names(list)), new Set(['Memory m000', 'Written', 'Added']));
    const changes = (await (await get('/v1/changes')).json()) as { memory_id: string }[];
    assert.deepEqual(
      changes.map((each) => each.memory_id),
      ['m000', 'm001', 'new', 'm002'],
    );
    assert.ok(replica().behind - was >= 4);
  });

  it('does not verify keys: a revoked key is refused at once, however far the replica lags behind', async (t) => {
    const world = await createLevel(t);
    const { get, writer } = world;
    const { id, key } = world.addKey('ana');
    const headers = { authorization: `Bearer ${key}` };
    await pause(t);
    assert.equal((await get('/v1/memories/m001', headers)).status, 200);
    writer.keys.revoke(id);
    assert.equal((await get('/v1/memories/m001', headers)).status, 401);
  });

  it('is not used beyond the allowed lag, and used again when it has caught up', async (t) => {
    const { writer, untilUsed, told, replica, primary } = await createLevel(t, { maxLagMs: 500 });
    told.length = 0;
    await pause(t);
    writer.memories.put('ana', memory({ id: 'm001', name: 'Written' }));
    await untilUsed(false);
    assert.ok((replica().lagMs ?? 0) > 500);
    assert.equal(primary().isUsed, true);
    assert.deepEqual(
      told.map(({ message }) => message),
      ['replica left out'],
    );
    assert.match(
      told[0]?.reason ?? '',
      /is \d+ s behind its primary, more than --max-lag 0\.5 s\.$/,
    );
    await onStandby('SELECT pg_wal_replay_resume()');
    await untilUsed(true);
    // Not 0: other tests write to the same primary, and the standby gets what they write as well.
    assert.ok((replica().lagMs ?? Infinity) <= 500);
    assert.deepEqual(
      told.map(({ message }) => message),
      ['replica left out', 'replica used again'],
    );
  });

  it('does not lag behind just because nothing is written', async (t) => {
    const { untilUsed, replica } = await createLevel(t, { maxLagMs: 500 });
    await sleep(1500);
    await untilUsed(true);
    assert.ok((replica().lagMs ?? Infinity) <= 500);
  });

  it('delays no response when it stops, and is used again when it is back', async (t) => {
    const { get, told, untilUsed } = await createLevel(t);
    told.length = 0;
    await killStandby();
    for (const path of ['/v1/memories/m001', '/v1/memories?q=memory', '/v1/changes'])
      assert.equal((await get(path)).status, 200, path);
    assert.deepEqual(
      told.map(({ message }) => message),
      ['replica left out'],
    );
    await standby.start();
    await untilUsed(true);
  });

  it('that is down at the start does not prevent the start, and is used when it is up', async (t) => {
    await killStandby();
    const { get, gateway, told, untilUsed } = await createReading(t);
    assert.equal((await get('/v1/memories/m001')).status, 200);
    assert.equal(await gateway.ready(), true);
    assert.match(
      told[0]?.reason ?? '',
      /refuses connections; start the server, or correct its address\.$/,
    );
    await standby.start();
    await untilUsed(true);
  });

  it('is refused with a sentence if it is the primary or has another database', async (t) => {
    const world = await createWorld(t);
    const replicas = [world.database, standby.address(TEMPLATE)];
    const { told, get, gateway } = await createReading(t, { replicas });
    assert.deepEqual(
      new Set(told.map(({ reason }) => reason.replace(/^\S+ /, ''))),
      new Set([
        'accepts writes, so it is not a replica (any more); set it up as a replica again.',
        'is a replica of another database; pass a replica of the one in --database.',
      ]),
    );
    assert.equal((await get('/v1/memories/m001')).status, 200);
    assert.deepEqual(
      gateway.stats().servers.map(({ isUsed }) => isUsed),
      [true, false, false],
    );
  });
});

describe('A cached response', { skip }, () => {
  it('costs one statement on the primary and none on a replica', async (t) => {
    const { get, replica, primary } = await createLevel(t);
    for (const path of ['/v1/memories/m001', '/v1/memories?limit=2', '/v1/changes']) {
      const first = await get(path);
      const was = [primary().reads, replica().reads];
      const again = await get(path);
      assert.deepEqual([primary().reads, replica().reads], [Number(was[0]) + 1, was[1]], path);
      assert.equal(await again.text(), await first.text());
    }
  });

  it('is of the state that the key lookup returned, even if a write comes between key and memory', async (t) => {
    const world = await createLevel(t);
    const { database, writer } = world;
    const store = await openPostgres(database);
    let write = (): unknown => undefined;
    const gateway = createGateway({
      ...store,
      async apiKey(sha256) {
        const found = await store.apiKey(sha256);
        write();
        return found;
      },
    });
    t.after(() => gateway.close());
    const { key } = world.addKey('ana');
    const headers = { authorization: `Bearer ${key}` };
    const ask = async (path: string) =>
      (await gateway.fetch(new Request(`http://gateway${path}`, { headers }))).text();
    const put = (name: string) => writer.memories.put('ana', memory({ id: 'm001', name }));
    for (const path of ['/v1/memories/m001', '/v1/memories', '/v1/memories?q=version']) {
      write = () => put(`Version between, ${path}`);
      const { entries } = gateway.stats().cache;
      assert.match(await ask(path), /Version between/);
      assert.equal(
        gateway.stats().cache.entries,
        entries,
        'the response is of the same state as its key',
      );
      write = () => undefined;
      put(`Version last, ${path}`);
      for (let i = 0; i < 2; i++) assert.match(await ask(path), /Version last/);
      assert.equal(gateway.stats().cache.entries, entries + 1);
      put(`Version after, ${path}`);
      assert.match(await ask(path), /Version after/);
    }
  });
});

describe('A replica that was promoted', { skip }, () => {
  it('is not used, because it takes writes that its primary does not have', async (t) => {
    const { told, untilUsed, get } = await createLevel(t);
    told.length = 0;
    await standby.promote();
    await untilUsed(false);
    assert.match(told[0]?.reason ?? '', /accepts writes, so it is not a replica/);
    assert.equal((await get('/v1/memories/m001')).status, 200);
  });
});
