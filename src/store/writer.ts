// The writing side of a SQLite file: accounts, keys and memories, for the command line and scripts.

import { accountWrites } from './accounts.ts';
import { openFile } from './file.ts';
import { keyWrites } from './keys.ts';
import { memoryWrites } from './memories.ts';
import { applyMigrations } from './migrate.ts';

export type Writer = ReturnType<typeof openWriter>;

/** Opens a SQLite file for writing. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openWriter(path: string) {
  const db = openFile(path, 'write');
  return {
    accounts: accountWrites(db),
    keys: keyWrites(db),
    memories: memoryWrites(db),
    /** Runs writes as one: all are committed, or none when `work` throws. */
    transaction: <T>(work: () => T): T => db.transaction(work).immediate(),
    close: (): void => {
      db.close();
    },
  };
}

/** Makes a database or brings its schema up to date; returns the names of the migrations applied. */
export function migrate(path: string): string[] {
  const db = openFile(path, 'create');
  try {
    return applyMigrations(db);
  } finally {
    db.close();
  }
}
