// A restore in the middle of an import or a copy: neither reports memories that the restore has removed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { copyDatabase } from '../../src/store/copy/copy.ts';
import type { Import } from '../../src/store/engine.ts';
import { engineOf } from '../../src/store/engines.ts';
import type { Stage } from '../../src/store/progress.ts';
import { createDatabase, openWriter } from '../../src/store/sqlite/writer.ts';
import { engine, engines } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { createOriginal } from '../support/world/complete-database.ts';
import { startProcess } from '../support/world/program.ts';
import { memories, memory } from '../support/world/world.ts';

const UNDONE = { name: 'Refusal', message: /^A restore has undone a part of this import; import/ };

/** A database with an account, and a function that brings it back to its present state. */
function createTarget(t: TestContext) {
  const folder = newFolder();
  const database = engine.create(t, folder);
  const writer = engine.write(t, database);
  writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
  return { database, writer, folder };
}

/** Removes everything since a point in time, as a restore of a backup from then. */
async function backUp(database: string): Promise<() => Promise<void>> {
  if (engine !== engines.sqlite) {
    // As a restore of the data alone: all rows go, and those of then come back.
    const kept = engine.edit(database, 'SELECT seq FROM changes ORDER BY seq DESC LIMIT 1');
    const seq = Number(kept[0]?.['seq'] ?? 0);
    return async () => {
      engine.edit(
        database,
        `ALTER TABLE memories DISABLE TRIGGER USER;
         DELETE FROM memories WHERE id IN (SELECT memory_id FROM changes WHERE seq > ${seq});
         ALTER TABLE memories ENABLE TRIGGER USER;
         DELETE FROM changes WHERE seq > ${seq};
         DELETE FROM change_epochs WHERE first_seq > ${seq}`,
      );
    };
  }
  const backup = join(newFolder(), 'backup.db');
  const file = await engineOf(database).file?.();
  await file?.backUp({ file: backup });
  return async () => void (await file?.restore({ file: backup, discard: true }));
}

const arrivals = (from: number, to: number) =>
  memories(to)
    .slice(from)
    .map((each) => ({ account_id: 'ana', memory: each }));

function importing(database: string, work: (into: Import) => Promise<void>): Promise<void> {
  return engineOf(database).withImport({ isDry: false, isAtomic: false }, work);
}

describe('An import during which a restore removes what it wrote', () => {
  it('stops at its next batch, which is not written either', async (t) => {
    const { database, writer } = createTarget(t);
    const restore = await backUp(database);
    await importing(database, async (into) => {
      await into.put(arrivals(0, 10));
      assert.equal(await into.isUndone(), false);
      await restore();
      assert.equal(await into.isUndone(), true);
      await assert.rejects(async () => into.put(arrivals(10, 20)), UNDONE);
    });
    assert.equal(writer.memories.count('ana'), 0);
  });

  it('fails if it was the last batch that is gone', async (t) => {
    const { database } = createTarget(t);
    const restore = await backUp(database);
    await importing(database, async (into) => {
      await into.put(arrivals(0, 10));
      await restore();
      await assert.rejects(async () => into.commit(), UNDONE);
    });
  });

  it('fails if the backup was made during the import, by the same epoch', async (t) => {
    const { database, writer } = createTarget(t);
    await importing(database, async (into) => {
      await into.put(arrivals(0, 10));
      const restore = await backUp(database);
      await into.put(arrivals(10, 20));
      await restore();
      await assert.rejects(async () => into.put(arrivals(20, 30)), UNDONE);
    });
    assert.equal(writer.memories.count('ana'), 10);
  });

  it('fails if what is gone was there before it, and so was reported as unchanged', async (t) => {
    const { database, writer } = createTarget(t);
    const restore = await backUp(database);
    writer.memories.putAll('ana', memories(10));
    await importing(database, async (into) => {
      assert.deepEqual(new Set(await into.put(arrivals(0, 10))), new Set(['unchanged']));
      await restore();
      await assert.rejects(async () => into.commit(), UNDONE);
    });
  });

  it('fails if others have written as much since the restore', async (t) => {
    const { database, writer } = createTarget(t);
    const restore = await backUp(database);
    await importing(database, async (into) => {
      await into.put(arrivals(0, 10));
      await restore();
      writer.memories.putAll('ana', memories(20));
      await assert.rejects(async () => into.put(arrivals(20, 30)), UNDONE);
    });
  });

  it('succeeds if the restore brings back what was written, and while others write', async (t) => {
    const { database, writer } = createTarget(t);
    await importing(database, async (into) => {
      await into.put(arrivals(0, 10));
      const restore = await backUp(database);
      writer.memories.put('ana', memory({ id: 'other' }));
      writer.memories.delete('ana', 'm003');
      if (engine === engines.sqlite) await restore();
      await into.put(arrivals(10, 20));
      await into.commit();
    });
    assert.equal(writer.memories.count('ana'), 20);
  });

  it('says so, with exit code 1 and no count of memories that would be in', async (t) => {
    const { database, writer } = createTarget(t);
    const restore = await backUp(database);
    const child = startProcess(['import', '-', '--account', 'ana', '--database', database]);
    child.stdin.on('error', () => {}); // it ends without reading the rest
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const list = memories(2000, 2000).map((each) => `${JSON.stringify(each)}\n`);
    child.stdin.write(list.slice(0, 1000).join('')); // the first 1 MiB is only looked at
    while (writer.memories.count('ana') < 500) await sleep(20);
    await restore();
    child.stdin.end(list.slice(1000).join(''));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(said, /A restore has undone a part of this import; import again\.\n$/);
    assert.doesNotMatch(said, /memories are in/);
  });
});

describe(
  'An import into a file that a restore replaces',
  { skip: engine !== engines.sqlite },
  () => {
    it('fails, because what it writes is in no file that has a name', async (t) => {
      const { database } = createTarget(t);
      await importing(database, async (into) => {
        await into.put(arrivals(0, 10));
        for (const end of ['', '-wal', '-shm']) rmSync(database + end);
        createDatabase(database);
        const writer = openWriter(database);
        t.after(() => writer.close());
        await assert.rejects(async () => into.commit(), UNDONE);
      });
    });
  },
);

describe('A copy during which a restore of its target removes an account that was complete', () => {
  for (const to of engine === engines.sqlite ? [engine] : [engines.sqlite, engine])
    it(`fails on ${to.name}, and the next copy brings it`, async (t) => {
      const original = createOriginal(t, engines.sqlite);
      const target = to === engines.sqlite ? join(newFolder(), 'copy.db') : to.create(t, '');
      const copy = (stage: Stage) => copyDatabase({ from: original.database, to: target, stage });
      const whole = await copy(async (_, work) => work(() => {}));
      const [before] = to.edit(target, "SELECT left_as FROM copies WHERE account_id = 'ana'");
      original.writer.memories.put('ana', memory({ id: 'new' }));
      // Accounts that are as they were are not sent again: the restore comes while one is compared.
      const restoreAt = whole.memories;
      let isRestored = false;
      const stage: Stage = async (_, work) =>
        work((done) => {
          if (isRestored || done < restoreAt) return;
          isRestored = true;
          to.edit(
            target,
            `DELETE FROM memories WHERE id = 'new';
             UPDATE copies SET left_as = '${String(before?.['left_as'])}' WHERE account_id = 'ana'`,
          );
        });
      await assert.rejects(copy(stage), {
        name: 'Refusal',
        message: /^A restore of .* has undone a part of this copy; copy again\.$/,
      });
      assert.ok(isRestored);
    });
});
