// The writing side of a SQLite file: accounts, keys and memories, for the command line and scripts.

import type { Awaitable } from '../../contract/awaitable.ts';
import { createFile } from './create.ts';
import { emptyLog, eraser } from './erase.ts';
import { explain, openFile } from './file.ts';
import { memoryWrites } from './memories.ts';
import { applyMigrations } from './migrate.ts';
import { accountsIn, keysIn } from './owners.ts';
import { asOne } from './transaction.ts';

/** The writes of a file, done when they return. */
export type FileWriter = ReturnType<typeof openWriter>;

/** Opens a SQLite file for writing. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openWriter(path: string) {
  const db = openFile(path, 'write');
  const accounts = accountsIn(db);
  const memories = memoryWrites(db);
  return {
    accounts,
    keys: keysIn(db),
    memories,
    erase: eraser(db, { accounts, memories }),
    /** Runs writes as one: all are committed, or none when `work` throws. */
    transaction: <T>(work: () => T): T => asOne(db, work),
    close: (): void => {
      emptyLog(db);
      db.close();
    },
  };
}

/** Opens a file for one piece of work and closes it whatever comes; a full disk or a lock is a `Refusal`. */
export function withWriter<T>(path: string, work: (writer: FileWriter) => T): T {
  const writer = openWriter(path);
  try {
    return work(writer);
  } catch (error) {
    throw explain(error, path);
  } finally {
    writer.close();
  }
}

/** Does the same for work that waits in between; the file is closed when it is done. */
export async function withFileWriter<T>(
  path: string,
  work: (writer: FileWriter) => Awaitable<T>,
): Promise<T> {
  const writer = openWriter(path);
  try {
    return await work(writer);
  } catch (error) {
    throw explain(error, path);
  } finally {
    writer.close();
  }
}

/** Makes a database that is not there, with what `fill` writes in it. Returns the migrations applied. */
export function createDatabase(path: string, fill?: (writer: FileWriter) => void): string[] {
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
