// The change feed after a restore: valid cursors go on, and cursors that the restore has undone get 410.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import type { Change } from '../../src/contract/schemas/memory.ts';
import { openWriter, type FileWriter } from '../../src/store/sqlite/writer.ts';
import {
  catchUp,
  newReplica,
  readAll,
  takeIn,
  type Replica,
} from '../support/model/feed-replica.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

/** The server and the writer after a restore. */
interface Restored {
  readonly port: number;
  readonly writer: FileWriter;
}

interface Way {
  readonly name: string;
  readonly restore: (t: TestContext, world: World, backup: string) => Promise<Restored>;
}

const ways: readonly Way[] = [
  {
    name: 'into the file that is served and written',
    async restore(_t, { database, port, writer }, backup) {
      await copyInto(backup, database);
      return { port, writer };
    },
  },
  {
    name: 'into the file that is served, with another writer',
    async restore(t, { database, port }, backup) {
      await copyInto(backup, database);
      return { port, writer: writerOn(t, database) };
    },
  },
  {
    name: 'as another file, with a new gateway',
    async restore(t, _world, backup) {
      const copy = join(newFolder(), 'restored.db');
      copyFileSync(backup, copy);
      const { port } = await createServerOn(t, copy);
      return { port, writer: writerOn(t, copy) };
    },
  },
];

/** Copies a database with SQLite's backup API, which works on open files. */
async function copyInto(from: string, to: string): Promise<void> {
  const db = new Database(from, { readonly: true });
  await db.backup(to);
  db.close();
}

async function backUp({ database }: World): Promise<string> {
  const backup = join(newFolder(), 'backup.db');
  await copyInto(database, backup);
  return backup;
}

function writerOn(t: TestContext, database: string): FileWriter {
  const writer = openWriter(database);
  t.after(() => writer.close());
  return writer;
}

function put(writer: FileWriter, id: string, name: string): void {
  writer.memories.put('ana', memory({ id, name }));
}

function told(changes: readonly Change[]): string[] {
  return changes.map(({ memory_id, change }) => `${change} ${memory_id}`);
}

async function assertEqual(replica: Replica, port: number, key: string) {
  assert.deepEqual(replica.copy, await readAll(port, key));
}

for (const { name, restore } of ways) {
  describe(`After a restore ${name}`, () => {
    it('a cursor from before the backup continues where it was', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana');
      for (const id of ['a', 'b', 'c']) put(world.writer, id, 'first');
      const replica = newReplica(2);
      assert.deepEqual(told(await catchUp(replica, world.port, key)), [
        'upsert a',
        'upsert b',
        'upsert c',
      ]);
      put(world.writer, 'b', 'second');
      world.writer.memories.delete('ana', 'c');
      const backup = await backUp(world);
      put(world.writer, 'lost', 'lost');

      const { port, writer } = await restore(t, world, backup);
      assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert b', 'delete c']);
      await assertEqual(replica, port, key);
      put(writer, 'd', 'new');
      assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert d']);
      await assertEqual(replica, port, key);
    });

    // Fewer new writes than the restore has undone, as many, and more.
    for (const writes of [0, 1, 2, 3, 7]) {
      it(`a cursor that the restore has undone gets 410, after ${writes} new writes`, async (t) => {
        const world = await createWorld(t);
        const key = world.addAccount('ana');
        for (const id of ['a', 'b', 'c']) put(world.writer, id, 'first');
        const backup = await backUp(world);
        const replica = newReplica();
        world.writer.memories.delete('ana', 'a');
        put(world.writer, 'b', 'lost');
        await catchUp(replica, world.port, key);
        assert.deepEqual([...replica.copy.keys()].toSorted(), ['b', 'c']);

        const { port, writer } = await restore(t, world, backup);
        for (let i = 0; i < writes; i++) put(writer, `n${i}`, 'new');
        const changes = told(await catchUp(replica, port, key));
        assert.deepEqual(changes.slice(0, 3), ['upsert a', 'upsert b', 'upsert c']);
        assert.equal(changes.length, 3 + writes);
        await assertEqual(replica, port, key);
        assert.equal(replica.resets, 1);
        assert.deepEqual(await catchUp(replica, port, key), [], 'and it continues from there');
      });
    }

    it('each cursor of several undone states gets 410', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana');
      put(world.writer, 'a', 'first');
      const backup = await backUp(world);
      const replicas: Replica[] = [];
      let restored: Restored = world;
      for (const time of ['one', 'two', 'three']) {
        put(restored.writer, 'a', time);
        const replica = newReplica();
        await catchUp(replica, restored.port, key);
        replicas.push(replica);
        restored = await restore(t, world, backup);
      }
      put(restored.writer, 'b', 'new'); // the same number as the lost change of each state
      for (const replica of replicas) {
        assert.deepEqual(told(await catchUp(replica, restored.port, key)), [
          'upsert a',
          'upsert b',
        ]);
        await assertEqual(replica, restored.port, key);
      }
    });

    // Memory m3 moves from change 3 to change 10, so the first page passes its old place. The restore
    // moves it back behind the cursor, whose own change is in both states.
    it('a cursor from the middle of the feed gets 410, because a page may have passed moved memories', async (t) => {
      for (const edit of ['change', 'delete'] as const) {
        const world = await createWorld(t);
        const key = world.addAccount('ana');
        for (let i = 1; i <= 9; i++) put(world.writer, `m${i}`, 'first');
        const backup = await backUp(world);
        if (edit === 'change') put(world.writer, 'm3', 'changed');
        else world.writer.memories.delete('ana', 'm3');
        const replica = newReplica(6);
        assert.deepEqual(
          told(await takeIn(replica, world.port, key)),
          ['m1', 'm2', 'm4', 'm5', 'm6', 'm7'].map((id) => `upsert ${id}`),
        );

        const { port } = await restore(t, world, backup);
        await catchUp(replica, port, key);
        assert.equal(replica.resets, 1);
        await assertEqual(replica, port, key);
      }
    });

    it('a follower drops memories that only the undone state had', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana');
      put(world.writer, 'a', 'first');
      const backup = await backUp(world);
      put(world.writer, 'lost', 'lost');
      const replica = newReplica();
      await catchUp(replica, world.port, key);

      const { port } = await restore(t, world, backup);
      assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert a']);
      await assertEqual(replica, port, key);
    });

    it('an empty account is followed from its first change', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana');
      const before = newReplica();
      assert.deepEqual(await catchUp(before, world.port, key), []);
      const backup = await backUp(world);
      put(world.writer, 'lost', 'lost');
      const lost = newReplica();
      await catchUp(lost, world.port, key);

      const { port, writer } = await restore(t, world, backup);
      assert.deepEqual(await catchUp(before, port, key), []);
      assert.deepEqual(await catchUp(lost, port, key), [], 'the account is empty again');
      for (const id of ['a', 'b']) put(writer, id, 'new');
      for (const replica of [before, lost])
        assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert a', 'upsert b']);
      await assertEqual(before, port, key);
      await assertEqual(lost, port, key);
    });
  });
}

describe('A cursor of the feed', () => {
  it('of an account without changes gets the first one, by any writer', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    const replica = newReplica();
    assert.deepEqual(await catchUp(replica, world.port, key), []);
    world.addAccount('bo', [memory({ id: 'other' })]);
    assert.deepEqual(await catchUp(replica, world.port, key), []);
    put(writerOn(t, world.database), 'a', 'first');
    put(world.writer, 'b', 'second');
    assert.deepEqual(told(await catchUp(replica, world.port, key)), ['upsert a', 'upsert b']);
    await assertEqual(replica, world.port, key);
  });

  it('stays valid while several writers take turns', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    const writers = [world.writer, writerOn(t, world.database), writerOn(t, world.database)];
    const paths: string[] = [];
    const replica = newReplica();
    for (let i = 0; i < 12; i++) {
      put(writers[(i * i) % 3] as FileWriter, `m${i}`, 'new');
      assert.deepEqual(told(await catchUp(replica, world.port, key)), [`upsert m${i}`]);
      paths.push(replica.path);
    }
    for (const [i, path] of paths.entries()) {
      const rest = await catchUp({ ...newReplica(), path }, world.port, key);
      assert.equal(rest.length, 11 - i, 'each earlier cursor continues after its own change');
    }
  });
});
