// What the app reads of the bin. Its connection cannot write there.

import { fromJson, type Json } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { beginning, shortened } from '../../text/surrogates.ts';
import { inBin, isThere, type OfBin } from '../bin/bin-sql.ts';
import { binStart, erasedAt } from '../bin/bin-time.ts';
import { matchesHash } from '../check/on-read.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import type { AppAccess } from './access.ts';
import type { BinStore, DeletedMemory } from './owner-stores.ts';

/** How many characters of a summary a list of the bin has at most. */
const MOST_SHOWN = 200;

/** How many characters of a transcript are read in the bin. */
const MOST_READ = 100_000;

/** How many memories a list of the bin has at most. */
export const MOST_LISTED = 1000;

const latest = query((slot: Slot<{ account_id: string; since: number }>) =>
  build
    .selectFrom('deleted_memories')
    .select(['memory_id', 'deleted_at', 'slim_sha256', 'slim'])
    .where('account_id', '=', slot('account_id'))
    .where('deleted_at', '>', slot('since'))
    .orderBy('deleted_at', 'desc')
    .orderBy('memory_id', 'desc')
    .limit((eb) => eb.lit(MOST_LISTED)),
);

const one = query((slot: Slot<OfBin>) => inBin(slot).select(['body', 'body_sha256']));

const isInBin = query((slot: Slot<OfBin>) => inBin(slot).select('memory_id as id'));

/** Creates the reads of the bin. */
export function binStore({ read, now }: AppAccess): BinStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }): Awaitable<DeletedMemory[]> =>
        andThen(prepare(latest).all({ account_id, since: binStart(now()) }), (rows) =>
          rows.map(toDeleted),
        ),
      ),
    get: (of) =>
      read({ account_id: of.account_id }, ({ prepare }) =>
        andThen(prepare(one).get({ ...of, since: binStart(now()) }), (row) => {
          if (!row || !matchesHash(row.body, row.body_sha256)) return undefined;
          const { summary, transcript } = fromJson(row.body as Json<Memory>);
          return {
            summary: summary.quick_summary,
            transcript: beginning(transcript, MOST_READ),
          };
        }),
      ),
    hasAll: ({ account_id, ids, where }) =>
      read({ account_id }, ({ prepare }) => {
        const find = prepare<OfBin, { id: string }>(where === 'bin' ? isInBin : isThere);
        const since = binStart(now());
        let hasAll = true;
        const done = eachInTurn(ids, (memory_id) =>
          andThen(find.get({ account_id, memory_id, since }), (found) => {
            hasAll &&= found !== undefined;
          }),
        );
        return andThen(done, () => hasAll);
      }),
  };
}

type Row = Pick<
  DetailTables['deleted_memories'],
  'memory_id' | 'deleted_at' | 'slim' | 'slim_sha256'
>;

/** A damaged memory can still be erased, so it is listed by its id. */
function toDeleted({ memory_id: id, deleted_at, slim, slim_sha256 }: Row): DeletedMemory {
  const times = { deleted_at, erased_at: erasedAt(deleted_at) };
  if (!matchesHash(slim, slim_sha256)) {
    const started_at = new Date(deleted_at).toISOString();
    return { id, name: id, started_at, duration_seconds: 0, summary: '', ...times };
  }
  const { name, started_at, duration_seconds, summary } = fromJson(slim as Json<Memory>);
  const gist = shortened(summary.quick_summary, MOST_SHOWN);
  return { id, name, started_at, duration_seconds, summary: gist, ...times };
}
