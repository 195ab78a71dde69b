// The feed over a backup and its restore: a cursor never expires, and one of the time that was lost is known.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import type { Change } from '../src/contract/change.ts';
import { openWriter, type FileWriter } from '../src/store/sqlite/writer.ts';
import { newFolder } from './support/left.ts';
import { catchUp, newReplica, readAll, type Replica } from './support/replica.ts';
import { createServerOn } from './support/serving.ts';
import { createWorld, memory, type World } from './support/world.ts';

/** What goes on after a restore: who answers, and who writes. */
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

/** Copies a database by SQLite's backup, whoever has the other open. */
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

async function assertEqual(replica: Replica, port: number, key: string, lost: string[] = []) {
  const there = await readAll(port, key);
  const copy = new Map([...replica.copy].filter(([id]) => !lost.includes(id)));
  assert.equal(replica.copy.size - copy.size, lost.length, 'what only the lost time had');
  assert.deepEqual(copy, there);
}

for (const { name, restore } of ways) {
  describe(`After a restore ${name}`, () => {
    it('a cursor of before the backup goes on where it was', async (t) => {
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

    // Fewer writes than were lost, as many, and more: the count is behind the cursor's number, at it, past it.
    for (const writes of [0, 1, 2, 3, 7]) {
      it(`a cursor of the lost time starts anew, after ${writes} new writes`, async (t) => {
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
        assert.deepEqual(await catchUp(replica, port, key), [], 'and then goes on from there');
      });
    }

    it('one cursor after another of several restores is known for what it is', async (t) => {
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
      put(restored.writer, 'b', 'new'); // the same number as the lost change of each time
      for (const replica of replicas) {
        assert.deepEqual(told(await catchUp(replica, restored.port, key)), [
          'upsert a',
          'upsert b',
        ]);
        await assertEqual(replica, restored.port, key);
      }
    });

    it('the feed does not tell that what only the lost time had is gone: it leaves no tombstone', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana');
      put(world.writer, 'a', 'first');
      const backup = await backUp(world);
      put(world.writer, 'lost', 'lost');
      const replica = newReplica();
      await catchUp(replica, world.port, key);

      const { port } = await restore(t, world, backup);
      // Who keeps a copy learns it by the list of all memories alone, after a restore it knows of.
      assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert a']);
      await assertEqual(replica, port, key, ['lost']);
    });

    it('an account that was empty is followed from its first change on', async (t) => {
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
      assert.deepEqual(await catchUp(lost, port, key), [], 'nothing is there to be told');
      for (const id of ['a', 'b']) put(writer, id, 'new');
      for (const replica of [before, lost])
        assert.deepEqual(told(await catchUp(replica, port, key)), ['upsert a', 'upsert b']);
      await assertEqual(before, port, key);
      await assertEqual(lost, port, key, ['lost']);
    });
  });
}

describe('A cursor of the feed', () => {
  it('of an account without changes gets the first one, whoever writes it', async (t) => {
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

  it('of another account is none of its own: the feed starts anew', async (t) => {
    const world = await createWorld(t);
    const ana = world.addAccount('ana', [memory({ id: 'a' }), memory({ id: 'b' })]);
    const bo = world.addAccount('bo', [memory({ id: 'c' }), memory({ id: 'd' })]);
    const replica = newReplica();
    await catchUp(replica, world.port, ana);
    const other = { ...newReplica(), path: replica.path };
    assert.deepEqual(told(await catchUp(other, world.port, bo)), ['upsert c', 'upsert d']);
  });

  it('holds while several write in turns', async (t) => {
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
      assert.equal(rest.length, 11 - i, 'each cursor of before still tells what came behind it');
    }
  });
});
