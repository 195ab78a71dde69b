// Fitness: what a replica must be for memories to be read from it.

import { Refusal } from '../refusal.ts';
import { otherSchema } from './errors.ts';
import { POSTGRES_VERSION } from './schema.ts';
import type { Standing } from './standing.ts';

/** What is expected of a replica. */
export interface Expected {
  /** Which database it must be a replica of. */
  readonly isOurs: (standing: Standing) => Promise<boolean>;
  readonly maxLagMs: number;
}

/** Fails with `Refusal` where a replica is not fit: another database, another schema, or too far behind. */
export async function requireStanding(
  standing: Standing,
  { isOurs, maxLagMs, replica, lagMs }: Expected & { replica: string; lagMs: number },
): Promise<void> {
  const { version, is_replica, is_fed } = standing;
  if (!is_replica)
    throw unfit(replica, 'takes writes, so it is no replica, or none any more; make it one again');
  if (!(await isOurs(standing)))
    throw unfit(replica, 'is a replica of another database; name one of that of --database');
  if (version !== POSTGRES_VERSION) throw otherSchema(replica, version ?? 0, POSTGRES_VERSION);
  if (lagMs <= maxLagMs) return;
  if (!is_fed) throw unfit(replica, 'gets no writes from its primary; see the logs of both');
  const far = Number.isFinite(lagMs) ? `${Math.round(lagMs / 1000)} s` : 'nobody knows how far';
  throw unfit(replica, `is ${far} behind its primary, and --max-lag is ${maxLagMs / 1000} s`);
}

function unfit(replica: string, what: string): Refusal {
  return new Refusal(`${replica} ${what}.`, { trouble: 'unusable' });
}
