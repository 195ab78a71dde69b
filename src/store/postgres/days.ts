// Totals per day on PostgreSQL: one statement groups the memories of all spans, from the index alone.

import { DAY_MS } from '../../lib/time.ts';
import { facetValues, hasFacets, OF_MEMORY, perCount } from '../sql/facets.ts';
import { query, type Slot } from '../sql/query.ts';
import { ACCOUNT, within, type ServerRead } from './reads.ts';
import type { ConnectionPool } from './servers/connection.ts';
import { postgresQuery as build, prepare } from './statements.ts';

/** Added to each day, so that none is negative: a division of integers rounds towards zero. */
const SHIFT_DAYS = 1_000_000;

/** The values of the query. The spans are lists of numbers with spaces between them. */
export interface DayValues {
  readonly account_id: string;
  readonly starts: string;
  readonly ends: string;
  readonly shifts: string;
}

/** Queries the totals of an account per day and span, of the memories with a number of facets. */
export function dayTotals(count: number) {
  return query((slot: Slot<DayValues>) => {
    const spans = build.selectNoFrom((eb) => {
      const numbers = (name: 'starts' | 'ends' | 'shifts') =>
        eb.cast<number>(eb.fn('string_to_table', [eb.val(slot(name)), eb.val(' ')]), 'bigint');
      return [
        numbers('starts').as('low_at'),
        numbers('ends').as('high_at'),
        numbers('shifts').as('shift'),
      ];
    });
    const days = build
      .selectFrom('memories')
      .select((eb) => [
        eb(
          eb.parens(eb('started_at', '+', eb.ref('span.shift' as 'started_at'))),
          '/',
          eb.lit(DAY_MS),
        ).as('day'),
        eb.fn.countAll<number>().as('memories'),
        eb.cast<number>(eb.fn.sum('duration_seconds'), 'bigint').as('seconds'),
      ])
      .whereRef('memories.account_id', '=', ACCOUNT)
      .whereRef('memories.started_at', '>=', 'span.low_at' as 'started_at')
      .whereRef('memories.started_at', '<', 'span.high_at' as 'started_at')
      .$if(count > 0, (some) => some.where(hasFacets(OF_MEMORY, { slot, count })))
      .groupBy('day');
    const all = build
      .selectFrom(spans.as('span'))
      .innerJoinLateral(days.as('found'), (join) => join.onTrue())
      .select(['found.day', 'found.memories', 'found.seconds']);
    return within(slot)
      .leftJoinLateral(all.as('totals'), (join) => join.onTrue())
      .select(['accounts.revision', 'totals.day', 'totals.memories', 'totals.seconds'])
      .orderBy('totals.day');
  });
}

const totalsOf = perCount((count) => prepare(dayTotals(count)));

/** Creates the read of totals on a server. */
export function dayReadsOf(run: ConnectionPool['query']): ServerRead<'days'> {
  return {
    async days({ account_id, spans, facets = [] }) {
      const rows = await run(totalsOf(facets.length)(), {
        account_id,
        ...facetValues(facets),
        starts: spans.map(({ from }) => from).join(' '),
        ends: spans.map(({ before }) => before).join(' '),
        shifts: spans.map(({ offset }) => offset + SHIFT_DAYS * DAY_MS).join(' '),
      });
      const found = rows.flatMap(({ day, memories, seconds }) =>
        day === null || memories === null || seconds === null
          ? []
          : [{ day: day - SHIFT_DAYS, memories, seconds }],
      );
      return { revision: rows[0]?.revision, totals: found, rest: undefined };
    },
  };
}
