// The writing side of a SQLite file: accounts, keys and memories, for the command line and scripts.

import { accountWrites } from './accounts.ts';
import { createFile } from './create.ts';
import { emptyLog, eraser } from './erase.ts';
import { explain, openFile } from './file.ts';
import { keyWrites } from './keys.ts';
import { memoryWrites } from './memories.ts';
import { applyMigrations } from './migrate.ts';

/** The writes of a database. */
export type Writer = ReturnType<typeof openWriter>;

/** Opens a SQLite file for writing. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openWriter(path: string) {
  const db = openFile(path, 'write');
  const accounts = accountWrites(db);
  const memories = memoryWrites(db);
  return {
    accounts,
    keys: keyWrites(db),
    memories,
    erase: eraser(db, { accounts, memories }),
    /** Runs writes as one: all are committed, or none when `work` throws. */
    transaction: <T>(work: () => T): T => db.transaction(work).immediate(),
    close: (): void => {
      emptyLog(db);
      db.close();
    },
  };
}

/** Opens a file for one piece of work and closes it whatever comes; a full disk or a lock is a `Refusal`. */
export function withWriter<T>(path: string, work: (writer: Writer) => T): T {
  const writer = openWriter(path);
  try {
    return work(writer);
  } catch (error) {
    throw explain(error, path);
  } finally {
    writer.close();
  }
}

/** Makes a database that is not there, with what `fill` writes in it. Returns the migrations applied. */
export function createDatabase(path: string, fill?: (writer: Writer) => void): string[] {
  return createFile(path, (draft) => {
    const applied = migrateDraft(draft);
    if (fill) withWriter(draft, fill);
    return applied;
  });
}

function migrateDraft(draft: string): string[] {
  const db = openFile(draft, 'create');
  try {
    const applied = db.transaction(() => applyMigrations(db)).immediate();
    emptyLog(db);
    return applied;
  } catch (error) {
    throw explain(error, draft);
  } finally {
    db.close();
  }
}
