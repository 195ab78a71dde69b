// The store on a SQLite file: read-only, and every query a held statement of its connection.

import type { Database } from 'better-sqlite3';

import { damaged, isWhole, lost, misled } from './integrity.ts';
import * as reads from './reads.ts';
import { changeReads } from './sqlite/changes.ts';
import { keepCurrent } from './sqlite/current.ts';
import { explain, openFile } from './sqlite/file.ts';
import { inOneState, keepRows, watch } from './sqlite/fresh.ts';
import { hold } from './sqlite/held.ts';
import { requireOurs } from './sqlite/ours.ts';
import { pieceRead } from './sqlite/pieces.ts';
import { rangeReads } from './sqlite/ranges.ts';
import { readability } from './sqlite/readable.ts';
import type { Store, Wanted } from './store.ts';

/** A store that answers at once. */
export type SyncStore = {
  readonly [K in keyof Of]: (...args: Parameters<Of[K]>) => Awaited<ReturnType<Of[K]>>;
};

type Of = Required<Omit<Store, 'servers'>>;

/** What was found for a key: when what it opens ends, and whether it is the key that was asked for. */
interface KeyState {
  readonly ends_at: number;
  readonly is_it: unknown;
}

/** The reads of one connection, and what is done about it when its file is not as it was. */
export interface Reads extends SyncStore {
  /** Lets go what it knows of the file, into which somebody has written. */
  readonly refresh: () => void;
  /** Sets how long a read waits for a lock. */
  readonly setPatience: (ms: number) => void;
}

/**
 * Opens a SQLite file for reading, and whatever file has its name later. Fails with `Refusal` when it
 * is missing, foreign, older or newer, and so do reads for as long as it is.
 */
export function openStore(path: string): SyncStore {
  return keepCurrent(path, openReads);
}

function openReads(path: string, patienceMs: number): Reads {
  const db = openFile(path, 'read', patienceMs);
  const requireReadable = readability(db, path);
  const check = () => {
    requireOurs(db, path, 'read');
    requireReadable();
  };
  closeUnless(db, requireReadable);
  const file = watch(db, check);
  const inState = inOneState(db);
  const apiKey = hold(db, reads.apiKey);
  const keyOf = hold(db, reads.keyOf);
  const keptKey = keepRows({
    version: file.version,
    read(key_sha256: string) {
      const row = apiKey.get({ key_sha256 });
      if (row && opens(row) && keyOf.get({ ...row, key_sha256 })?.key_sha256 !== key_sha256)
        throw misled(path, row.account_id);
      return row;
    },
    isKept: opens,
    inState,
  });
  const account = hold(db, reads.account);
  const memory = { body: hold(db, reads.memory.body), slim: hold(db, reads.memory.slim) };
  const told = hold(db, reads.told);
  const ranges = rangeReads(db);

  const isTold = (wanted: Wanted): boolean => told.get(wanted)?.change === 'upsert';
  /** Tells whether the feed has a memory that is not there: in one state, or it may have come meanwhile. */
  const isLost = (wanted: Wanted): boolean =>
    isTold(wanted) && inState(() => !memory[wanted.bytes].get(wanted) && isTold(wanted));

  return {
    apiKey(key_sha256) {
      const row = keptKey(key_sha256);
      return row?.is_it === 1 ? row : undefined;
    },
    account(id) {
      file.version(); // the first read of a call, as that of the key: whether the schema is ours still
      return account.get({ id });
    },
    memory(wanted) {
      const found = memory[wanted.bytes].get(wanted);
      if (found === undefined) {
        if (isLost(wanted)) throw lost(path, wanted);
        return undefined;
      }
      const { body_sha256, bytes, sha256 } = found;
      const isKnown = bytes === null && body_sha256 === wanted.known;
      if (!isKnown && !isWhole(bytes, sha256, wanted)) throw damaged(path, wanted);
      return { body_sha256, bytes };
    },
    ...ranges,
    piece: pieceRead(db, (range, maxBytes) => ranges.items(range, maxBytes)),
    changes: changeReads(db),
    together: file.together,
    check,
    refresh: file.refresh,
    setPatience: (ms) => {
      db.pragma(`busy_timeout = ${ms}`);
    },
    close: () => {
      db.close();
    },
  };
}

function closeUnless(db: Database, holds: () => void): void {
  try {
    holds();
  } catch (error) {
    db.close();
    throw explain(error, db.name);
  }
}

// Every key that opens nothing is looked up, and its row judged before it is known to be its own, so that
// none is told from another by the time it takes.
function opens({ ends_at, is_it }: KeyState): boolean {
  return ends_at > Date.now() && is_it === 1;
}
