// The corrections of a memory that is written to a SQLite file, and the memory as it was imported.

import type { Database } from 'better-sqlite3';

import type { Correction } from '../../details/corrections.ts';
import { readUncorrected, toUncorrectedRow, type Uncorrected } from '../../details/uncorrected.ts';
import { importedState, type WrittenMemory } from '../../import/corrected.ts';
import * as corrections from '../../sql/corrections.ts';
import { prepareOn } from '../statements.ts';

interface Owner {
  readonly account_id: string;
  readonly id: string;
}

/** Creates the reads and writes on a connection. */
export function correctionsOn(db: Database) {
  const held = {
    ofMemory: prepareOn(db, corrections.ofMemory),
    find: prepareOn(db, corrections.uncorrected),
    put: prepareOn(db, corrections.putUncorrected),
    remove: prepareOn(db, corrections.removeUncorrected),
  };

  function imported({ account_id, id: memory_id }: Owner): Uncorrected | undefined {
    const row = held.find.get({ account_id, memory_id });
    return row && readUncorrected(row);
  }

  return {
    /** Returns the corrections of a memory, in the order in which they were made. */
    of: ({ account_id, id: memory_id }: Owner): readonly Correction[] =>
      held.ofMemory.all({ account_id, memory_id }),
    /** Returns a memory as it was imported, if corrections have changed it. */
    imported,
    /** Keeps a memory as it was imported, as long as corrections change it. */
    keepImported(written: WrittenMemory): void {
      const { row } = written.each;
      const kept = importedState(written, written.each.uncorrected && imported(row));
      if (kept) held.put.run(toUncorrectedRow(row.account_id, kept));
      else held.remove.run({ account_id: row.account_id, memory_id: row.id });
    },
  };
}
