// When keys and grants were last used, and what they have read lately: paths, how often and when last, for 30 days.

import { andThen } from '../../lib/async.ts';
import { compareText } from '../../lib/order.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { ANY_ACCOUNT, type AppAccess, type VisibleRows } from './access.ts';
import type { CredentialRead, CredentialUse } from './connect/connect-store.ts';

/** How long a path is kept after its last read. */
const KEPT_MS = 30 * DAY_MS;

/** How many paths of a key or a grant are kept. */
const MOST = 1000;

type Uses = ReadonlyMap<string, number>;

const keys = usesOf('api_keys', 'key_sha256', 'key_id');
const grants = usesOf('grants', 'id', 'grant_id');

/** Builds the queries of a table of credentials, which are found by one column and have their paths by another. */
function usesOf(
  table: 'api_keys' | 'grants',
  found: 'key_sha256' | 'id',
  owner: 'key_id' | 'grant_id',
) {
  // The types are those of keys: both tables have the columns that are used here.
  const [from, by, of] = [table as 'api_keys', found as 'key_sha256', owner as 'key_id'];
  const credentials = build.selectFrom(from);
  return {
    /** A time never moves back, whatever order processes write in. */
    use: query((slot: Slot<{ credential: string; at: number }>) =>
      build
        .updateTable(from)
        .set({ last_used_at: slot('at') })
        .where(by, '=', slot('credential'))
        .where((eb) =>
          eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', slot('at'))]),
        ),
    ),
    /** Counts reads of a path. A credential that is gone has none. */
    count: query((slot: Slot<CredentialRead>) =>
      build
        .insertInto('key_reads')
        .columns([of, 'account_id', 'path', 'last_at', 'count'])
        .expression(
          credentials
            .select((row) => [
              'id',
              'account_id',
              // PostgreSQL treats a selected value as text, even for a numeric column.
              row.val(slot('path')).as('path'),
              row.cast<number>(row.val(slot('last_at')), 'bigint').as('last_at'),
              row.cast<number>(row.val(slot('count')), 'bigint').as('count'),
            ])
            .where(by, '=', slot('credential')),
        )
        .onConflict((conflict) =>
          conflict.columns([of, 'path']).doUpdateSet((eb) => ({
            // Another process may have written a later one.
            last_at: eb
              .case()
              .when(eb.ref('excluded.last_at'), '>', eb.ref('key_reads.last_at'))
              .then(eb.ref('excluded.last_at'))
              .else(eb.ref('key_reads.last_at'))
              .end(),
            count: eb('key_reads.count', '+', eb.ref('excluded.count')),
          })),
        ),
    ),
    /** Removes all paths of a credential but the latest. */
    trim: query((slot: Slot<{ credential: string }>) =>
      build
        .deleteFrom('key_reads')
        .where(of, '=', credentials.select('id').where(by, '=', slot('credential')))
        .where('last_at', '<', (eb) =>
          eb
            .selectFrom('key_reads as kept')
            .select('kept.last_at')
            .where(`kept.${of}`, '=', credentials.select('id').where(by, '=', slot('credential')))
            .orderBy('kept.last_at', 'desc')
            .offset(eb.lit(MOST - 1))
            .limit(eb.lit(1)),
        ),
    ),
    latest: query((slot: Slot<{ account_id: string; id: string; since: number }>) =>
      build
        .selectFrom('key_reads')
        .select(['path', 'last_at', 'count'])
        .where(of, '=', slot('id'))
        .where('account_id', '=', slot('account_id'))
        .where('last_at', '>=', slot('since'))
        .orderBy('last_at', 'desc')
        .orderBy('path')
        .limit((eb) => eb.lit(MOST)),
    ),
    owned: query((slot: Slot<{ account_id: string; id: string }>) =>
      credentials
        .select('id')
        .where('id', '=', slot('id'))
        .where('account_id', '=', slot('account_id')),
    ),
  };
}

const removeBefore = query((slot: Slot<{ before: number }>) =>
  build.deleteFrom('key_reads').where('last_at', '<', slot('before')),
);

/** Removes what is too old. */
export async function removeOldReads({ prepare, now }: Connection): Promise<void> {
  await prepare(removeBefore).run({ before: now() - KEPT_MS });
}

/** Creates the register of keys or of grants. */
export function credentialUse(of: 'keys' | 'grants', { read, tryWrite }: AppAccess): CredentialUse {
  const { use, count, trim, latest, owned } = { keys, grants }[of];
  const record = (scope: VisibleRows, uses: Uses, reads: readonly CredentialRead[]) =>
    tryWrite(scope, async (on) => {
      // In one order, so that two transactions never wait for each other.
      for (const [credential, at] of [...uses].toSorted(([a], [b]) => compareText(a, b)))
        await on.prepare(use).run({ credential, at });
      if (reads.length === 0) return;
      const inOrder = reads.toSorted((a, b) => compareText(idOf(a), idOf(b)));
      for (const each of inOrder) await on.prepare(count).run(each);
      for (const credential of new Set(inOrder.map((each) => each.credential)))
        await on.prepare(trim).run({ credential });
      await removeOldReads(on);
    });
  return {
    recordUse: async (uses, reads = []) => {
      if (of === 'keys') return record({ account_id: ANY_ACCOUNT }, uses, reads);
      // No transaction sees the grants of several accounts.
      for (const each of uses) {
        const own = reads.filter(({ credential }) => credential === each[0]);
        await record({ secret: each[0] }, new Map([each]), own);
      }
    },
    reads: (credential) =>
      read(credential, ({ prepare, now }) =>
        andThen(
          prepare(owned).get(credential),
          (found) => found && prepare(latest).all({ ...credential, since: now() - KEPT_MS }),
        ),
      ),
  };
}

function idOf({ credential, path }: CredentialRead): string {
  return `${credential} ${path}`;
}
