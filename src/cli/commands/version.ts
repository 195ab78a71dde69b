// version: the versions of the program, Node and SQLite.

import { sqliteVersion } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { VERSION } from '../../version.ts';
import type { Command } from '../command.ts';

/** The commit that the program was built from, which `scripts/bundling.ts` defines. */
declare const COMMIT: string | null | undefined;

/** The versions of the program, Node and SQLite. */
export interface Versions {
  readonly version: string;
  /** Null for sources, and for a build outside a repository. */
  readonly commit: string | null;
  readonly node: string;
  /** Null if SQLite could not be loaded. */
  readonly sqlite: string | null;
}

/** Prints the versions. */
export const versionCommand: Command = {
  summary: 'Print the versions of the program, Node and SQLite',
  about: 'The flags --version and -v do the same.',
  options: ['json'],
  examples: [['The versions for a bug report', 'memory-gateway version']],
  run: () => {
    const found = readVersions();
    return { text: formatVersions(found), json: found };
  },
};

function readVersions(): Versions {
  return {
    version: VERSION,
    commit: typeof COMMIT === 'string' ? COMMIT : null,
    node: process.versions.node,
    sqlite: readSqliteVersion(),
  };
}

function readSqliteVersion(): string | null {
  try {
    return sqliteVersion();
  } catch (error) {
    if (error instanceof Refusal) return null; // the other versions help to find out why
    throw error;
  }
}

function formatVersions({ version, commit, node, sqlite }: Versions): string {
  const from = commit === null ? '' : ` (commit ${commit})`;
  return `memory-gateway ${version}${from}, Node ${node}, SQLite ${sqlite ?? 'not loaded'}`;
}
