// Verifies a database, whatever the engine: every memory, the feed, the search and the schema, in one snapshot.

import { isPostgres } from './address.ts';
import { verifyFile } from './sqlite/verify.ts';
import { unwatched } from './stage.ts';

/** What was found in a database. */
export interface Verified {
  /** When the snapshot was taken, in milliseconds since 1970. */
  readonly at: number;
  readonly memories: number;
  readonly accounts: number;
  /** What is wrong, each in a sentence with what mends it: the first hundred. */
  readonly findings: readonly string[];
  /** How much more is wrong. */
  readonly more: number;
}

/** Verifies a database without writing to it. Fails with `Refusal` where it is missing, foreign, older or newer. */
export async function verifyAny(database: string, stage = unwatched): Promise<Verified> {
  if (!isPostgres(database)) return verifyFile(database, stage);
  const { verifyPostgres } = await import('./postgres/verify.ts');
  return verifyPostgres(database, stage);
}
