// Copies a database as one connection sees it, by SQLite's backup, also into a file that others have open.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { unwatched, type Stage } from '../stage.ts';
import { explain, WRITE_BUSY_MS } from './file.ts';

/** How a copy is made. */
export interface CopyOptions {
  readonly stage?: Stage;
  /** Done while nobody can write where the copy goes to, before the first page does; when it fails, nothing has. */
  readonly first?: () => Promise<void>;
}

const PAGES = 1000;
const RETRY_MS = 50;

/**
 * Copies what a connection sees into a file, in one transaction there. The connection must be in a
 * transaction: SQLite would begin anew at each commit of another program. Fails with `Refusal`.
 */
export async function copyInto(
  db: Database,
  path: string,
  { stage = unwatched, first = async () => {} }: CopyOptions = {},
): Promise<void> {
  if (path !== path.trim())
    throw new Refusal(`${path} begins or ends with a space; choose another name.`);
  const total = db.pragma('page_count', { simple: true }) as number;
  const patience = performance.now() + WRITE_BUSY_MS;
  await stage({ total, unit: 'pages' }, async (to) => {
    try {
      while (!(await copy(db, path, { first, to }))) {
        if (performance.now() > patience) throw locked(path);
        await sleep(RETRY_MS);
      }
    } catch (error) {
      throw explain(error, path);
    }
  });
}

interface Copying {
  readonly first: () => Promise<void>;
  readonly to: (done: number) => void;
}

/** Copies at once; returns whether it could: better-sqlite3 takes a locked file for one that is copied, of no pages. */
async function copy(db: Database, path: string, { first, to }: Copying): Promise<boolean> {
  const state: { is: 'new' | 'waiting' | 'ready' | 'failed'; error?: unknown } = { is: 'new' };
  const start = async (): Promise<void> => {
    state.is = 'waiting';
    try {
      await first();
      state.is = 'ready';
    } catch (error) {
      Object.assign(state, { is: 'failed', error });
    }
  };
  const { totalPages } = await db.backup(path, {
    // Before the first call no page was copied, but the file is locked; 0 pages keep it so.
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
