// Health of a replica: one cheap statement, and the checks that decide whether to read from it.

import { Refusal } from '../../refusal.ts';
import { query, type Slot } from '../../sql/query.ts';
import { wrongSchema } from '../errors.ts';
import { POSTGRES_VERSION } from '../migrations.ts';
import { postgresQuery as build, prepare } from '../statements.ts';
import type { ConnectionPool } from './connection.ts';

/** What a server reports about itself. */
export interface Standing {
  /** The system and database, equal on a primary and its replicas. */
  readonly system: string;
  readonly database: string;
  readonly version: number | null;
  readonly is_replica: boolean;
  /** Whether a process is receiving writes. */
  readonly is_fed: boolean;
  /** Whether everything received is visible. Null if nothing was received. */
  readonly is_level: boolean | null;
  /** The age of the latest visible commit in milliseconds. Null if there is none. */
  readonly since_ms: number | null;
}

interface Receiver {
  readonly pid: number | null;
}

interface Control {
  readonly system_identifier: string;
}

const standingQuery = prepare(
  query((_: Slot<object>) =>
    build.selectNoFrom((eb) => {
      const replayed = eb.fn<string>('pg_last_wal_replay_lsn');
      const received = eb.fn<string>('pg_last_wal_receive_lsn');
      const now = eb.fn<string>('clock_timestamp');
      const age = eb(now, '-', eb.fn<string>('pg_last_xact_replay_timestamp'));
      return [
        eb
          .selectFrom(eb.fn<Control>('pg_control_system').as('control'))
          .select('control.system_identifier')
          .$asScalar()
          .$notNull()
          .as('system'),
        eb.fn<string>('current_database').as('database'),
        eb
          .selectFrom('schema_versions')
          .select((row) => row.fn.max('version').as('version'))
          .$asScalar()
          .as('version'),
        eb.fn<boolean>('pg_is_in_recovery').as('is_replica'),
        eb
          .exists(
            eb
              .selectFrom(eb.fn<Receiver>('pg_stat_get_wal_receiver').as('receiver'))
              .select('receiver.pid')
              .where('receiver.pid', 'is not', null),
          )
          .as('is_fed'),
        eb(replayed, '>=', received).as('is_level'),
        eb(eb.fn<number>('date_part', [eb.val('epoch'), age]), '*', eb.lit(1000)).as('since_ms'),
      ];
    }),
  ),
);

/** Reads a server's health. Rejects with `Refusal`. */
export async function standingOf({ query: ask }: ConnectionPool): Promise<Standing> {
  return (await ask(standingQuery(), {}))[0] as Standing;
}

/** The requirements for a replica. */
export interface ReplicaRequirements {
  /** Whether it is a replica of our database. */
  readonly isOurs: (standing: Standing) => Promise<boolean>;
  readonly maxLagMs: number;
}

/** Rejects with `Refusal` if a replica has another database or schema, or lags too far. */
export async function requireStanding(
  standing: Standing,
  { isOurs, maxLagMs, replica, lagMs }: ReplicaRequirements & { replica: string; lagMs: number },
): Promise<void> {
  const { version, is_replica, is_fed } = standing;
  if (!is_replica)
    throw unfit(
      replica,
      'accepts writes, so it is not a replica (any more); set it up as a replica again',
    );
  if (!(await isOurs(standing)))
    throw unfit(
      replica,
      'is a replica of another database; pass a replica of the one in --database',
    );
  if (version !== POSTGRES_VERSION) throw wrongSchema(replica, version ?? 0, POSTGRES_VERSION);
  if (lagMs <= maxLagMs) return;
  if (!is_fed)
    throw unfit(replica, 'receives no writes from its primary; see the logs of both servers');
  const far = Number.isFinite(lagMs) ? `${Math.round(lagMs / 1000)} s` : 'an unknown time';
  throw unfit(replica, `is ${far} behind its primary, more than --max-lag ${maxLagMs / 1000} s`);
}

function unfit(replica: string, what: string): Refusal {
  return new Refusal(`${replica} ${what}.`, { code: 'unusable' });
}
