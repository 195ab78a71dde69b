// Originals: a backup and a restore bring them back byte for byte, and verify finds what is wrong with them.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { backUp } from '../../src/store/sqlite/files/backup.ts';
import { restore } from '../../src/store/sqlite/files/restore.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { engines } from '../support/engines/engine.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { memory } from '../support/world/world.ts';

/** Every byte, and more of them than one page of a database has. */
const BYTES = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7 + (i >> 8)) % 256);

/** Creates a database in which two memories were made from one original, and returns a key for it. */
function create() {
  const database = join(newFolder(), 'live.db');
  let key = '';
  createDatabase(database, ({ accounts, keys, memories }) => {
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    key = issued(keys.create({ account_id: 'ana', label: 'one', expires_at: null }).key);
    const details = {
      ...fullDetails(),
      original: { media_type: 'application/json', bytes: BYTES, reading: '{}' },
    };
    for (const id of ['one', 'two'])
      memories.putReady([prepareMemory('ana', memory({ id }), details)]);
  });
  return { database, key };
}

async function originalsOf(t: TestContext, database: string, key: string) {
  const { port } = await createServerOn(t, database);
  return Promise.all(
    ['one', 'two'].map(async (id) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/memories/${id}/original`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return { type: answer.headers.get('content-type'), bytes: await answer.bytes() };
    }),
  );
}

describe('An original', () => {
  it('is in a backup, and comes back with a restore', async (t) => {
    const { database, key } = create();
    const file = join(newFolder(), 'backup.db');
    await backUp({ database, file });
    const restored = join(newFolder(), 'restored.db');
    await restore({ file, database: restored });
    const whole = { type: 'application/json', bytes: BYTES };
    assert.deepEqual(await originalsOf(t, restored, key), [whole, whole]);
    assert.deepEqual((await verifyFile(restored)).findings, []);
  });

  for (const [what, sql, found] of [
    [
      'has other bytes',
      `UPDATE originals SET compressed = (SELECT zeroblob(length(compressed)) FROM originals)`,
      /^Original [0-9a-f]{64} of account ana is damaged: .*; import the memory again, or restore a backup\.$/,
    ],
    [
      'is missing',
      `DELETE FROM originals`,
      /^The details of memory one of account ana name an original that is missing; restore a backup\.$/,
    ],
  ] as const)
    it(`that ${what} is found by verify, and by backup and restore, which then write nothing`, async () => {
      const { database } = create();
      const backup = join(newFolder(), 'backup.db');
      await backUp({ database, file: backup });
      for (const file of [database, backup]) engines.sqlite.edit(file, sql);
      const { findings } = await verifyFile(database);
      assert.match(findings[0] ?? '', found);
      const file = join(newFolder(), 'another.db');
      await assert.rejects(backUp({ database, file }), { name: 'Refusal' });
      assert.deepEqual((await restore({ file: backup, database: file })).findings, findings);
      assert.equal(existsSync(file), false);
    });
});
