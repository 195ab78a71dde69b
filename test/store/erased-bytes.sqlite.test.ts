// Erased bytes: deleted and rewritten texts are nowhere in the database's files.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { createDatabase, openWriter, type FileWriter } from '../../src/store/sqlite/writer.ts';
import { ids } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/**
 * Words that occur nowhere else. Their endings are searched, because an index stores a common
 * prefix of words only once.
 */
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

/** Returns the files of a database that contain one of the endings, in any case. */
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

/** Creates a database with the secret among words that share a prefix with it. */
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
  it('leaves its id and the time, and none of its words in the files', () => {
    const { database, writer } = createSecret();
    assert.ok(filesWith(database, ENDINGS).length > 0, 'it was there');
    writer.memories.delete('ana', 'secret');
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assert.deepEqual(filesWith(database, ['secret']), [''], 'but its id, in the feed');
    assertWholeIndex(database);
  });

  it('is erased also if it was in the file for long', () => {
    const { database, writer } = createSecret();
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), [''], 'it was there');
    const later = openWriter(database);
    later.memories.delete('ana', 'secret');
    later.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assertWholeIndex(database);
  });

  it('is erased also while the database is served, and afterwards', async (t) => {
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

  it('does not affect another memory with the same words', async (t) => {
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
  it('leaves none of its earlier words', () => {
    const { database, writer } = createSecret();
    writer.memories.put('ana', memory({ id: 'secret', transcript: 'quixo vebri zath' }));
    writer.close();
    assert.deepEqual(filesWith(database, ENDINGS), []);
    assertWholeIndex(database);
  });

  it('in a transaction that was rolled back leaves none of its new words', () => {
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
