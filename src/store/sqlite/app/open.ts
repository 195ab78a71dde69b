// The app's store on a SQLite file: reads follow the name of the file, and each write opens it for itself.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from 'better-sqlite3';

import { systemTime } from '../../../lib/time.ts';
import type { AppAccess } from '../../app/access.ts';
import type { AppStore } from '../../app/app-store.ts';
import { createAppStore } from '../../app/create.ts';
import { Refusal } from '../../refusal.ts';
import type { Connection, NamedQuery, Statement } from '../../sql/query.ts';
import { emptyLog, explainSqlite, isWritable, openFile } from '../connection.ts';
import { requireCurrentSchema } from '../errors.ts';
import { connectionTo, inTransaction } from '../statements.ts';
import { watchDataVersion } from '../watch/data-version.ts';
import { followFile, type FollowedConnection } from '../watch/follow.ts';
import { guardWrites } from './guard.ts';

/** How long one attempt to write waits for a lock. better-sqlite3 blocks the event loop meanwhile. */
const LOCK_MS = 20;

/** How long a write is attempted, and how long it pauses in between. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 50;

/** Opens the app's store on a SQLite file. Throws `Refusal` if the file is missing, foreign, older or newer. */
export function openAppFile(path: string, now = systemTime): AppStore {
  const { access, close } = openAccess(path, now);
  return createAppStore(access, { canWrite: () => isWritable(path), close });
}

/** Opens a file for the transactions of the app. Throws as `openAppFile` does. */
export function openAccess(
  path: string,
  now = systemTime,
): {
  readonly access: AppAccess;
  readonly close: () => void;
} {
  // The file is checked before each read, because a session must end with the request after a restore.
  const { run, close } = followFile(path, createOpenReads(now), 0);
  const inTurn = createQueue();
  const access: AppAccess = {
    now,
    read: (_, work) => run(({ connection }) => work(connection)),
    // The use of keys is written here: it also lets go of a file that was replaced while nobody used the app.
    tryWrite: (_, work) => inTurn(() => write(work)),
    async write(_, work) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        try {
          return await inTurn(() => write(work));
        } catch (error) {
          if (!isLocked(error)) throw error;
          if (performance.now() > deadline) throw stillLocked(path, error);
        }
        await sleep(PAUSE_MS);
      }
    },
  };
  return { access, close };

  /** Writes once, unless the file cannot be read now: beside the log of an older file, SQLite would write that log into it. */
  async function write<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    run(() => {});
    return writeOnce({ path, now }, work);
  }
}

/** Creates a function that runs work one after the other: a write must not wait for the lock of another one here. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/**
 * Writes in a transaction on a connection of its own, so that it goes to the file that has the name now.
 * Empties the log afterwards: readers refuse a file that was put in place beside the log of another.
 * Measured: 4 ms, most of it for the disk.
 */
async function writeOnce<T>(
  { path, now }: { readonly path: string; readonly now: () => number },
  work: (on: Connection) => Promise<T>,
): Promise<T> {
  let db: Database | undefined;
  try {
    const opened = (db = openFile(path, 'write', LOCK_MS));
    const connection = guardWrites(opened, now);
    const result = await inTransaction(opened, () => work(connection));
    emptyLog(opened);
    return result;
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    db?.close();
  }
}

/** The reads of one connection. */
interface AppReads extends FollowedConnection {
  readonly connection: Connection;
}

function createOpenReads(now: () => number) {
  return (path: string, lockTimeoutMs: number) =>
    openReads(openFile(path, 'read', lockTimeoutMs), path, now);
}

function openReads(db: Database, path: string, now: () => number): AppReads {
  const file = watchDataVersion(db, () => requireCurrentSchema(db, path, 'read'));
  const connection = holdStatements(connectionTo(db, now));
  return {
    // Checks after each commit of anybody whether the schema still fits.
    connection: {
      ...connection,
      prepare(wanted) {
        file.version();
        return connection.prepare(wanted);
      },
    },
    refresh: file.refresh,
    setLockTimeout: (ms) => {
      db.pragma(`busy_timeout = ${ms}`);
    },
    close: () => {
      db.close();
    },
  };
}

/** Keeps the statements of a connection, so that each query is prepared once. */
function holdStatements(connection: Connection): Connection {
  const held = new Map<unknown, unknown>();
  return {
    ...connection,
    prepare<Values, Row>(wanted: NamedQuery<Values, Row>) {
      const known = held.get(wanted) as Statement<Values, Row> | undefined;
      if (known !== undefined) return known;
      const statement = connection.prepare(wanted);
      held.set(wanted, statement);
      return statement;
    },
  };
}

function isLocked(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'locked';
}

function stillLocked(path: string, cause: unknown): Refusal {
  return new Refusal(
    `${path} is being written by another program, such as an import; try again when that program has finished.`,
    { code: 'locked', cause },
  );
}
