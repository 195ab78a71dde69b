// Standing: what a server says of itself as a replica, in one statement that reads next to nothing.

import { query, type Slot } from '../query.ts';
import { buildPostgres as build, prepare } from './build.ts';
import type { Connections } from './driver.ts';

/** How a replica stands. */
export interface Standing {
  /** Which database of which system it is: the same on a primary and its replicas. */
  readonly system: string;
  readonly database: string;
  readonly version: number | null;
  readonly is_replica: boolean;
  /** Whether writes reach it: there is a process that receives them. */
  readonly is_fed: boolean;
  /** Whether all that has reached it can be read; null before anything has. */
  readonly is_level: boolean | null;
  /** When what can be read was committed at last, in milliseconds before now; null when nothing was. */
  readonly since_ms: number | null;
}

interface Receiver {
  readonly pid: number | null;
}

interface Control {
  readonly system_identifier: string;
}

const standing = prepare(
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

/** Asks a server how it stands. Fails with `Refusal`. */
export async function standingOf({ query: ask }: Connections): Promise<Standing> {
  return (await ask(standing(), {}))[0] as Standing;
}
