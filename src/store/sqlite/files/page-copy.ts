// Copies the pages of a database with SQLite's backup API, also into a file that others have open.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from 'better-sqlite3';

import { withoutProgress, type Stage } from '../../progress.ts';
import { Refusal } from '../../refusal.ts';
import { explainSqlite, WRITE_BUSY_MS } from '../connection.ts';

/** How pages are copied. */
export interface PageCopyOptions {
  readonly stage?: Stage;
  /** Runs before the first page is written, while others cannot write to the target. If it rejects, the target is unchanged. */
  readonly beforeFirst?: () => Promise<void>;
}

const PAGES = 1000;
const RETRY_MS = 50;

/**
 * Copies what a connection sees into a file, in one transaction there. The connection must be in a
 * transaction, because SQLite would start over at every commit of another program. Rejects with
 * `Refusal`.
 */
export async function copyPages(
  db: Database,
  path: string,
  { stage = withoutProgress, beforeFirst = async () => {} }: PageCopyOptions = {},
): Promise<void> {
  if (path !== path.trim())
    throw new Refusal(`${path} begins or ends with a space; choose another name.`);
  const total = db.pragma('page_count', { simple: true }) as number;
  const deadline = performance.now() + WRITE_BUSY_MS;
  await stage({ total, unit: 'pages' }, async (to) => {
    try {
      while (!(await copyOnce(db, path, { beforeFirst, to }))) {
        if (performance.now() > deadline) throw locked(path);
        await sleep(RETRY_MS);
      }
    } catch (error) {
      throw explainSqlite(error, path);
    }
  });
}

interface Copying {
  readonly beforeFirst: () => Promise<void>;
  readonly to: (done: number) => void;
}

/** Tries to copy, and returns whether it could. better-sqlite3 reports a locked file as a finished copy of no pages. */
async function copyOnce(
  db: Database,
  path: string,
  { beforeFirst, to }: Copying,
): Promise<boolean> {
  const state: { is: 'new' | 'waiting' | 'ready' | 'failed'; error?: unknown } = { is: 'new' };
  const start = async (): Promise<void> => {
    state.is = 'waiting';
    try {
      await beforeFirst();
      state.is = 'ready';
    } catch (error) {
      Object.assign(state, { is: 'failed', error });
    }
  };
  const { totalPages } = await db.backup(path, {
    // At the first call the target is locked, but no page is copied yet. Returning 0 keeps it that way.
    progress({ totalPages: all, remainingPages }) {
      if (state.is === 'new') void start();
      if (state.is === 'failed') throw state.error;
      to(all - remainingPages);
      return state.is === 'ready' ? PAGES : 0;
    },
  });
  return totalPages > 0;
}

function locked(path: string): Refusal {
  return new Refusal(`${path} is locked by another program; close that program and try again.`);
}
