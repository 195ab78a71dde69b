// The schema that a PostgreSQL database has, and whether it is that of this program.

import { migrationsOf } from '../migrations.ts';
import { Refusal } from '../refusal.ts';
import { prepare } from './build.ts';
import type { Connections } from './driver.ts';
import { otherSchema } from './errors.ts';
import * as reads from './reads.ts';

/** The schema that this program reads and writes. */
export const POSTGRES_VERSION = migrationsOf('postgres').at(-1)?.version ?? 0;

const version = prepare(reads.schemaVersion);

/** The schema that a database has: 0 where it was never migrated. */
export async function schemaOf(connections: Connections): Promise<number> {
  try {
    const [row] = await connections.query(version(), {});
    return row?.version ?? 0;
  } catch (error) {
    if (error instanceof Refusal && error.trouble === 'missing' && isNotMade(error)) return 0;
    throw error;
  }
}

/** Fails with `Refusal` where a database has another schema than this program. */
export async function requireSchema(connections: Connections): Promise<void> {
  const found = await schemaOf(connections);
  if (found !== POSTGRES_VERSION) throw otherSchema(connections.address, found, POSTGRES_VERSION);
}

/** Tells a table that is not there yet from a database that is not. */
function isNotMade({ cause }: Refusal): boolean {
  return ['42P01', '3F000'].includes((cause as { code?: string }).code ?? '');
}
