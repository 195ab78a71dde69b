// Transactions: writes done as one, at once or with others in between.

import type { Database } from 'better-sqlite3';

/**
 * Runs writes as one: all are committed, or none when `work` fails. Work that waits may do so, while
 * nobody else uses the connection; within a transaction it is a part of that one.
 */
export function asOne<T>(db: Database, work: () => T): T {
  if (db.inTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    if (result instanceof Promise) return result.then(commit).catch(undo) as T;
    return commit(result);
  } catch (error) {
    return undo(error);
  }

  function commit<R>(result: R): R {
    db.exec('COMMIT');
    return result;
  }

  function undo(error: unknown): never {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
