// Left: what lies beside a database that commands have made: drafts, and what was kept of it.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The files beside a database, by what they are; each may have logs of its own. */
export interface Left {
  /** What is being made, or was when a command was killed. */
  readonly drafts: readonly string[];
  /** What the database was before a restore or a migration. */
  readonly kept: readonly string[];
}

const DRAFT = /\.new(-wal|-shm|-journal)?$/;
const KEPT = /\.before-(restore|migrate)-\w+(-wal|-shm|-journal)?$/;

/** Finds what commands have made beside a database. */
export function findLeft(database: string): Left {
  const folder = dirname(database);
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(database)}.`))
    .map((name) => join(folder, name));
  return {
    drafts: paths.filter((path) => DRAFT.test(path)),
    kept: paths.filter((path) => KEPT.test(path)),
  };
}
