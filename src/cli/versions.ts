// versions: what runs here, and on what.

import { VERSION } from '../gateway/version.ts';
import { Refusal } from '../store/refusal.ts';
import { sqliteVersion } from '../store/sqlite/file.ts';

/** The commit that the program was built from, which `scripts/bundling.ts` puts in. */
declare const COMMIT: string | null | undefined;

/** The versions of the program, of Node and of SQLite. */
export interface Versions {
  readonly version: string;
  /** Null for sources that were not built, or not from a repository. */
  readonly commit: string | null;
  readonly node: string;
  /** Null where SQLite could not be loaded. */
  readonly sqlite: string | null;
}

/** Asks all that is in the program what it is. */
export function versions(): Versions {
  return {
    version: VERSION,
    commit: typeof COMMIT === 'string' ? COMMIT : null,
    node: process.versions.node,
    sqlite: readSqlite(),
  };
}

function readSqlite(): string | null {
  try {
    return sqliteVersion();
  } catch (error) {
    if (error instanceof Refusal) return null; // whoever asks for versions wants the others all the more
    throw error;
  }
}

/** Writes them in a line. */
export function showVersions({ version, commit, node, sqlite }: Versions): string {
  const from = commit === null ? '' : ` (commit ${commit})`;
  return `memory-gateway ${version}${from}, Node ${node}, SQLite ${sqlite ?? 'not loaded'}`;
}
