// Copies a database into another, of the same engine or of the other one.

import { isPostgres } from './address.ts';
import { copyAll, type Copied } from './copy/copy.ts';
import type { Side, Target } from './copy/side.ts';
import { fromFile, intoFile, requireApart } from './sqlite/copying.ts';
import type { Stage } from './stage.ts';

/** What is copied, and where to. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly stage: Stage;
}

/**
 * Copies accounts, keys, memories and the feed as they are at one moment, and holds both sides against
 * each other. A target that is not there is made; one that a killed copy has left is gone on with.
 * Fails with `Refusal`, and the source is never changed.
 */
export function copyDatabase({ from, to, stage }: CopyOptions): Promise<Copied & { at: number }> {
  requireApart(from, to);
  return withSource(from, (source, at) =>
    withTarget(to, async (target) => ({ ...(await copyAll(source, target, stage)), at })),
  );
}

async function withSource<T>(
  database: string,
  work: (source: Side, at: number) => Promise<T>,
): Promise<T> {
  if (!isPostgres(database)) return fromFile(database, work);
  const { fromPostgres } = await import('./postgres/copying.ts');
  return fromPostgres(database, work);
}

async function withTarget<T>(database: string, work: (target: Target) => Promise<T>): Promise<T> {
  if (!isPostgres(database)) return intoFile(database, work);
  const { intoPostgres } = await import('./postgres/copying.ts');
  return intoPostgres(database, work);
}
