// versions: what runs here, and on what.

import { VERSION } from '../gateway/version.ts';
import { sqliteVersion } from '../store/file.ts';

/** The commit that the program was built from, which `scripts/bundling.ts` puts in. */
declare const COMMIT: string | null | undefined;

/** The versions of the program, of Node and of SQLite. */
export interface Versions {
  readonly version: string;
  /** Null for sources that were not built, or not from a repository. */
  readonly commit: string | null;
  readonly node: string;
  readonly sqlite: string;
}

/** Asks all that is in the program what it is. */
export function versions(): Versions {
  return {
    version: VERSION,
    commit: typeof COMMIT === 'string' ? COMMIT : null,
    node: process.versions.node,
    sqlite: sqliteVersion(),
  };
}

/** Writes them in a line. */
export function showVersions({ version, commit, node, sqlite }: Versions): string {
  const from = commit === null ? '' : ` (commit ${commit})`;
  return `memory-gateway ${version}${from}, Node ${node}, SQLite ${sqlite}`;
}
