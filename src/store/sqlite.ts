// The store on a SQLite file: read-only, and every query a held statement.

import { changeReads } from './changes.ts';
import { openFile } from './file.ts';
import { hold } from './held.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { rangeReads } from './ranges.ts';
import * as reads from './reads.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

/** A store that answers at once. */
export type SyncStore = {
  readonly [K in keyof Store]: (...args: Parameters<Store[K]>) => Awaited<ReturnType<Store[K]>>;
};

/** Opens a SQLite file for reading. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openStore(path: string): SyncStore {
  const db = openFile(path, 'read');
  const apiKey = hold(db, reads.apiKey);
  const account = hold(db, reads.account);
  const memory = { body: hold(db, reads.memory.body), slim: hold(db, reads.memory.slim) };

  return {
    apiKey: (key_sha256) => apiKey.get({ key_sha256 }),
    account: (id) => account.get({ id }),
    memory: (wanted) => memory[wanted.bytes].get(wanted),
    ...rangeReads(db),
    changes: changeReads(db),
    check() {
      const version = schemaVersion(db);
      if (version === SCHEMA_VERSION) return;
      throw new Refusal(
        `The database has schema ${version}; this program needs ${SCHEMA_VERSION}.`,
      );
    },
    close: () => {
      db.close();
    },
  };
}
