// Forgetting: what was deleted or rewritten is nowhere in the bytes of the database's files.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { createDatabase, openWriter, type FileWriter } from '../src/store/sqlite/writer.ts';
import { newFolder } from './support/left.ts';
import { ids } from './support/lists.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

/** Words that stand nowhere else; their endings, as an index keeps what a word shares with the one before it once. */
const SECRETS = ['quixolanthor', 'vebrimundus', 'zathrokeel', 'jumblefrisk', 'wyncraddock'];
const ENDINGS = SECRETS.map((word) => word.slice(3));

const secret = memory({
  id: 'secret',
  name: `About ${SECRETS[0]}`,
  summary: {
    quick_summary: `${SECRETS[1]}, briefly`,
    key_takeaways: ['Nothing', `Ask ${SECRETS[2]}`],
  },
  // Longer than a page, so that it spills to others, and more than once in the index.
  transcript: `${`${SECRETS[3]} said ${SECRETS[4]}. `.repeat(2000)}quixo vebri zath`,
});

/** The files of a database in which one of the endings stands, in any case. */
function filesWith(database: string, endings: readonly string[]): string[] {
  return ['', '-wal', '-shm'].filter((end) => {
    if (!existsSync(database + end)) return false;
    const text = readFileSync(database + end)
      .toString('latin1')
      .toLowerCase();
    return endings.some((ending) => text.includes(ending));
  });
}

function assertWholeIndex(database: string): void {
  const db = new Database(database);
  try {
    db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  } finally {
    db.close();
  }
}

/** A database with the secret among others, which share beginnings of words with it. */
function createSecret(): { database: string; writer: FileWriter } {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const writer = openWriter(database);
  writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
  for (const [i, each] of memories(40).entries()) {
    const near = SECRETS.map((word) => `${word.slice(0, 3)}${i}`).join(' ');
    writer.memories.put('ana', { ...each, transcript: `Mira: ${near}` });
  }
  writer.memories.put('ana', secret);
  return { database, writer };
}

describe('A memory that was deleted', () => {
  it('leaves its id and the time, and no word of it in the files', () => {
    const { database, writer } = createSecret();
    assert.ok(filesWith(database, ENDINGS).length > 0, 'it was there');
    writer.memories.delete('ana', 'secret');
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assert.deepEqual(filesWith(database, ['secret']), [''], 'but its id, in the feed');
    assertWholeIndex(database);
  });

  it('is as gone where it had been in the file for long', () => {
    const { database, writer } = createSecret();
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), [''], 'it was there');
    const later = openWriter(database);
    later.memories.delete('ana', 'secret');
    later.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assertWholeIndex(database);
  });

  it('is as gone while the database is being served, and when that ends', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [secret, ...memories(3)]);
    const path = `/v1/memories?q=${SECRETS[3]}`;
    assert.deepEqual(ids(await send(world.port, { path, key })), ['secret']);
    assert.ok(filesWith(world.database, ENDINGS).length > 0, 'it was there');
    const other = openWriter(world.database);
    other.memories.delete('ana', 'secret');
    other.close();
    assert.deepEqual(filesWith(world.database, ENDINGS), []);
    assert.deepEqual(ids(await send(world.port, { path, key })), []);
    assert.equal(ids(await send(world.port, { key })).length, 3);
  });

  it('takes nothing with it of another that has the same words', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [secret, { ...secret, id: 'twin' }]);
    world.writer.memories.delete('ana', 'secret');
    for (const word of SECRETS) {
      const answer = await send(world.port, { path: `/v1/memories?q=${word}`, key });
      assert.deepEqual(ids(answer), ['twin'], word);
    }
    assertWholeIndex(world.database);
  });
});

describe('A memory that was rewritten', () => {
  it('leaves no word of what it said before', () => {
    const { database, writer } = createSecret();
    writer.memories.put('ana', memory({ id: 'secret', transcript: 'quixo vebri zath' }));
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assertWholeIndex(database);
  });

  it('or in a transaction that was undone, leaves none of either', () => {
    const { database, writer } = createSecret();
    writer.memories.delete('ana', 'secret');
    const undone = () =>
      writer.transaction(() => {
        writer.memories.put('ana', secret);
        throw new Error('on second thought');
      });
    assert.throws(undone, /second thought/);
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assertWholeIndex(database);
  });
});
