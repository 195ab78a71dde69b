// The store on a SQLite file: read-only, and every query a held statement.

import { openFile } from './file.ts';
import { hold } from './held.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import * as reads from './reads.ts';
import { Refusal } from './refusal.ts';
import type { Item, Range, Store } from './store.ts';

/** A store that answers at once. */
export type SyncStore = {
  readonly [K in keyof Store]: (...args: Parameters<Store[K]>) => Awaited<ReturnType<Store[K]>>;
};

/** Opens a SQLite file for reading. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openStore(path: string): SyncStore {
  const db = openFile(path, 'read');
  const apiKey = hold(db, reads.apiKey);
  const account = hold(db, reads.account);
  const memory = hold(db, reads.memory);
  const items = { desc: hold(db, reads.items.desc), asc: hold(db, reads.items.asc) };
  const positions = { desc: hold(db, reads.positions.desc), asc: hold(db, reads.positions.asc) };

  return {
    apiKey: (key_sha256) => apiKey.get({ key_sha256 }),
    account: (id) => account.get({ id }),
    memory: (account_id, id, known) => memory.get({ account_id, id, known }),
    items(range, maxBytes) {
      const found: Item[] = [];
      let bytes = 0;
      for (const item of items[range.order].iterate(bounds(range))) {
        found.push(item);
        bytes += item.body.length;
        if (bytes >= maxBytes) return { items: found, ended: false };
      }
      return { items: found, ended: true };
    },
    positions: (range) => positions[range.order].all(bounds(range)),
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

// Later than any date JavaScript knows, so that "from the start" is a place like every other.
const END_OF_TIME = 9e15;

function bounds({ account_id, order, after, limit = -1 }: Range) {
  const { started_at, id } = after ?? {
    started_at: order === 'desc' ? END_OF_TIME : -END_OF_TIME,
    id: '',
  };
  return { account_id, started_at, id, limit };
}
