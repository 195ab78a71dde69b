// The store on a SQLite file: read-only, and every query a held statement.

import { apiKeyState } from './apikey.ts';
import { changeReads } from './changes.ts';
import { openFile } from './file.ts';
import { keepRows, watch } from './fresh.ts';
import { hold } from './held.ts';
import { damaged, isWhole } from './integrity.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { pieceRead } from './pieces.ts';
import { rangeReads } from './ranges.ts';
import * as reads from './reads.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

/** A store that answers at once. */
export type SyncStore = {
  readonly [K in keyof Required<Store>]: (
    ...args: Parameters<Required<Store>[K]>
  ) => Awaited<ReturnType<Required<Store>[K]>>;
};

/** Opens a SQLite file for reading. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openStore(path: string): SyncStore {
  const db = openFile(path, 'read');
  const file = watch(db);
  const apiKey = hold(db, reads.apiKey);
  const keptKey = keepRows({
    version: file.version,
    read: (key_sha256: string) => apiKey.get({ key_sha256 }),
    // Every key that opens nothing is looked up, so that none is told from another by the time it takes.
    isKept: (key) => apiKeyState(key, Date.now()) === 'active',
  });
  const account = hold(db, reads.account);
  const memory = { body: hold(db, reads.memory.body), slim: hold(db, reads.memory.slim) };
  const ranges = rangeReads(db);

  return {
    apiKey: keptKey,
    account: (id) => account.get({ id }),
    memory(wanted) {
      const found = memory[wanted.bytes].get(wanted);
      if (found === undefined) return undefined;
      const { body_sha256, bytes, sha256 } = found;
      const isKnown = bytes === null && body_sha256 === wanted.known;
      if (!isKnown && !isWhole(bytes, sha256, wanted)) throw damaged(path, wanted);
      return { body_sha256, bytes };
    },
    ...ranges,
    piece: pieceRead(db, (range, maxBytes) => ranges.items(range, maxBytes)),
    changes: changeReads(db),
    together: file.together,
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
