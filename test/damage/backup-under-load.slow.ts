// A backup while another process writes, and a restore while clients send requests, with real processes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { backUp } from '../../src/store/sqlite/files/backup.ts';
import { restore } from '../../src/store/sqlite/files/restore.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, waitFor } from '../support/world/program.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

/** The responses by key and path, without the values that differ in every response. */
type Answers = Map<string, string>;

const SHAPES = [
  '/v1/memories',
  '/v1/memories?limit=3',
  '/v1/memories?order=asc&limit=4',
  '/v1/memories?fields=name',
  '/v1/memories?q=told',
  '/v1/memories?q=%22state+7%22',
  '/v1/memories?q=lost&limit=5',
  '/v1/changes?limit=7',
];

/** Requests everything with every key, page by page. */
async function askAll(
  port: number,
  keys: readonly string[],
  ids: readonly string[],
): Promise<Answers> {
  const answers: Answers = new Map();
  const paths = [...SHAPES, ...ids.map((id) => `/v1/memories/${id}`)];
  for (const [i, key] of keys.entries()) {
    for (const first of paths) {
      for (let path: string | undefined = first; path !== undefined;) {
        const { status, headers, text } = await send(port, { path, key });
        answers.set(`${i} ${path}`, `${status} ${headers['etag']} ${headers['link']} ${text}`);
        path = text === '[]' ? undefined : /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
      }
    }
  }
  return answers;
}

/** Starts a program that writes states. `end` lets it finish, and returns the last state. */
async function startWriting(t: TestContext, { database }: World, account: string) {
  const child = startProcess([database, account], {
    script: 'test/support/processes/known-states-program.ts',
  });
  t.after(() => child.kill('SIGKILL'));
  await waitFor(child, 'stdout', /^30$/m);
  let said = '';
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  return {
    async end(): Promise<void> {
      child.stdin.end();
      await once(child, 'close');
      assert.equal(child.exitCode, 0);
    },
    /** Waits for this many further states. */
    async pass(count: number): Promise<void> {
      const to = said.split('\n').length + count;
      while (said.split('\n').length < to) {
        assert.equal(child.exitCode, null, 'it goes on');
        await sleep(5);
      }
    },
  };
}

/** Returns which state a file is in. Fails if it is in none. */
function stateOf(database: string): number {
  const db = new Database(database, { readonly: true });
  const ids = db.prepare<[], string>(`SELECT id FROM memories WHERE id LIKE 'n%'`).pluck().all();
  const name = db.prepare<[], string>(`SELECT name FROM memories WHERE id = 'state'`).pluck().get();
  const labels = db
    .prepare<[], string>(`SELECT label FROM api_keys WHERE revoked_at IS NULL AND label <> 'test'`)
    .pluck()
    .all();
  db.close();
  const k = Number(name);
  const last = (count: number) => new Set(Array.from({ length: count }, (_, i) => k - i));
  assert.deepEqual(new Set(ids.map((id) => Number(id.slice(1)))), last(10));
  assert.deepEqual(new Set(labels.map(Number)), last(3));
  return k;
}

describe('Backup and restore under load', () => {
  it('a restore brings back every response as it was at the time of the backup', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    const [revokedBefore, revokedAfter] = [world.addKey('ana'), world.addKey('ana')];
    world.writer.keys.revoke(revokedBefore.id);
    const other = world.addAccount('bo', memories(20));
    const writing = await startWriting(t, world, 'ana');

    const backup = join(newFolder(), 'backup.db');
    const made = await runProcess(['backup', backup, '--database', world.database]);
    assert.equal(made.code, 0, made.stderr);
    const state = stateOf(backup);
    assert.ok(state >= 30, `state ${state}`);

    await writing.pass(20);
    await writing.end();
    world.writer.keys.revoke(revokedAfter.id);
    const madeAfter = world.addKey('ana');
    world.writer.memories.delete('bo', 'm003');
    world.writer.memories.put('bo', memory({ id: 'lost', transcript: 'A lost one.' }));
    assert.ok(stateOf(world.database) > state + 10, 'written meanwhile');

    const keys = [key, other, revokedBefore.key, revokedAfter.key, madeAfter.key, 'none'];
    const numbers = [state - 10, state - 9, state, state + 1];
    const ids = ['state', 'm003', 'm004', 'lost', ...numbers.map((n) => `n${n}`)];
    const { port } = await createServerOn(t, backup);
    const golden = await askAll(port, keys, ids);
    assert.ok(golden.size > 100, `${golden.size} answers`);
    const lost = await askAll(world.port, keys, ids);
    assert.notDeepEqual(lost, golden);

    const path = '/v1/memories';
    const [before, after] = [lost, golden].map((answers) => answers.get(`0 ${path}`) ?? '');
    const seen: string[] = [];
    const asking = new AbortController();
    const load = (async () => {
      while (!asking.signal.aborted) {
        const { status, headers, text } = await send(world.port, { path, key });
        const answer = `${status} ${headers['etag']} ${headers['link']} ${text}`;
        if (seen.at(-1) !== answer) seen.push(answer);
      }
    })();
    while (seen.length === 0) await sleep(1);
    const restored = await runProcess(['restore', backup, '--database', world.database]);
    assert.equal(restored.code, 0, restored.stderr);
    asking.abort();
    await load;
    assert.deepEqual(seen.slice(0, 1), [before]);
    assert.deepEqual(
      seen.slice(1).filter((answer) => answer !== after),
      [],
      'the old or the new',
    );
    assert.ok(seen.length <= 2, 'and once');

    assert.deepEqual(await askAll(world.port, keys, ids), golden);
    assert.deepEqual((await verifyFile(world.database)).findings, []);
  });

  it('backups during writes each have one state, in the order they were made', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(200));
    const writing = await startWriting(t, world, 'ana');
    const states: number[] = [];
    for (let i = 0; i < 8; i++) {
      const file = join(newFolder(), 'backup.db');
      await backUp({ database: world.database, file });
      states.push(stateOf(file));
      await writing.pass(1);
    }
    await writing.end();
    assert.deepEqual(
      states,
      [...new Set(states)].toSorted((a, b) => a - b),
    );
  });

  it('a restore during writes loses no commit: the safety copy has all up to the restore', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(200));
    const writing = await startWriting(t, world, 'ana');
    const file = join(newFolder(), 'backup.db');
    await backUp({ database: world.database, file });
    await writing.pass(10);
    const { kept = '' } = await restore({ file, database: world.database });
    await writing.pass(3);
    await writing.end();

    const last = stateOf(kept);
    const db = new Database(world.database, { readonly: true });
    const told = db
      .prepare<[], string>(`SELECT memory_id FROM changes WHERE memory_id LIKE 'n%'`)
      .pluck()
      .all();
    db.close();
    const backedUp = stateOf(file);
    const since = told.map((id) => Number(id.slice(1))).filter((n) => n > backedUp);
    assert.equal(Math.min(...since), last + 1);
    for (const each of [kept, world.database])
      assert.deepEqual((await verifyFile(each)).findings, []);
  });
});
