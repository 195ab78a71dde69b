// An import into a file: batch by batch, each done when it returns.

import type { Arrival, Put } from '../arrivals.ts';
import type { How } from '../imports.ts';
import { putter } from './arrivals.ts';
import { emptyLog } from './erase.ts';
import { explain, openFile } from './file.ts';
import { accountsIn } from './owners.ts';

/** An import into a file under way. */
export type FileImport = ReturnType<typeof openImport>;

/** Opens a file for an import, and closes it whatever comes. */
export async function withFileImport<T>(
  path: string,
  how: How,
  work: (into: FileImport) => Promise<T>,
): Promise<T> {
  const into = openImport(path, how);
  try {
    return await work(into);
  } finally {
    into.close();
  }
}

/**
 * Opens a file for an import; one that is dry only reads it. Fails with `Refusal` when it is missing,
 * foreign, older or newer.
 */
export function openImport(path: string, { isDry, isWhole }: How) {
  const db = openFile(path, isDry ? 'read' : 'write');
  const accounts = accountsIn(db);
  const run = prepare();

  return {
    accounts: (): string[] => accounts.list().map(({ id }) => id),
    require: (id: string): void => accounts.require(id),
    commit(): void {
      if (db.inTransaction) attempt(() => db.exec('COMMIT'));
    },
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
