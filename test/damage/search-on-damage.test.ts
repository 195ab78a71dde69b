// Ranked search on damaged memories: they are left out and logged, and only if nothing else remains the search fails.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import type { SearchResult } from '../../src/contract/schemas/passages.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { memory } from '../support/world/world.ts';

/** Serves three memories with the word "cedar", of which some have another body than was written. */
async function createDamaged(t: TestContext, damaged: readonly string[]) {
  const database = join(newFolder(), 'memories.db');
  let key = '';
  createDatabase(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'ana', created_by: 'seed' });
    const list = ['one', 'two', 'three'].map((id) =>
      memory({ id, transcript: `Ana: cedar ${id}` }),
    );
    writer.memories.putAll('ana', list);
    key = issued(writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null }).key);
  });
  const db = new Database(database);
  for (const id of damaged)
    db.prepare(
      `UPDATE memories SET body = CAST(replace(CAST(body AS TEXT), 'cedar', 'maple') AS BLOB) WHERE id = ?`,
    ).run(id);
  db.close();
  const logged: string[] = [];
  const error = ({ err }: { err?: unknown }, message: string) => {
    leave(String(err));
    logged.push(message);
  };
  const { port } = await createServerOn(t, database, { cacheBytes: 0, log: { error } });
  const search = async (query: string) => {
    const url = `http://127.0.0.1:${port}/v1/search?${query}`;
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    const text = await response.text();
    assert.ok(!text.includes('maple'), 'sends nothing that is damaged');
    return { status: response.status, text };
  };
  return { search, logged };
}

describe('A search over damaged memories', () => {
  it('leaves them out, and logs each', async (t) => {
    const { search, logged } = await createDamaged(t, ['one', 'three']);
    const { status, text } = await search('q=cedar');
    assert.equal(status, 200);
    const { passages } = JSON.parse(text) as SearchResult;
    assert.deepEqual(
      passages.map(({ memory_id }) => memory_id),
      ['two'],
    );
    assert.deepEqual(logged, Array(2).fill('damaged memory left out of a search'));
  });

  it('fails if nothing else remains', async (t) => {
    const { search, logged } = await createDamaged(t, ['one', 'two', 'three']);
    assert.equal((await search('q=cedar')).status, 500);
    assert.ok(logged.length >= 3);
    assert.equal((await search('q=cedar&memory_id=two')).status, 500);
  });

  it('is not disturbed by memories that it does not find', async (t) => {
    const { search, logged } = await createDamaged(t, ['one']);
    assert.equal((await search('q=three')).status, 200);
    assert.deepEqual(logged, []);
  });
});
