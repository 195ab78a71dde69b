// An import: memories put into a file batch by batch, or only compared with what it has.

import { accountWrites } from './accounts.ts';
import { putter, type Arrival, type Put } from './arrivals.ts';
import { emptyLog } from './erase.ts';
import { explain, openFile } from './file.ts';

/** How an import is done. */
export interface How {
  /** Nothing is written. */
  readonly isDry: boolean;
  /** All of it is one transaction. */
  readonly isWhole: boolean;
}

/** An import under way. */
export type Import = ReturnType<typeof openImport>;

/**
 * Opens a file for an import; one that is dry only reads it. Fails with `Refusal` when it is missing,
 * foreign, older or newer.
 */
export function openImport(path: string, { isDry, isWhole }: How) {
  const db = openFile(path, isDry ? 'read' : 'write');
  const accounts = accountWrites(db);
  const run = prepare();

  return {
    /** The ids of all accounts. */
    accounts: (): string[] => accounts.list().map(({ id }) => id),
    /** Fails with `Refusal` when there is no such account. */
    require: (id: string): void => accounts.require(id),
    /** Ends it: what is one transaction is in from here on. */
    commit(): void {
      if (db.inTransaction) attempt(() => db.exec('COMMIT'));
    },
    /** Puts memories, all or none. Fails with `Refusal` on a full disk or a lock. */
    put: (arrivals: readonly Arrival[]): Put[] =>
      attempt(() => {
        // Not before: others may write until there is something to write.
        if (isWhole && !isDry && !db.inTransaction) db.exec('BEGIN IMMEDIATE');
        return isDry ? run(arrivals) : run.immediate(arrivals);
      }),
    /** Closes the file; of an import that is one transaction nothing stays without `commit`. */
    close(): void {
      if (db.inTransaction) db.exec('ROLLBACK');
      if (!isDry) emptyLog(db);
      db.close();
    },
  };

  function prepare() {
    try {
      return db.transaction(putter(db, isDry));
    } catch (error) {
      db.close(); // nobody else can
      throw explain(error, path);
    }
  }

  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explain(error, path);
    }
  }
}
