// The caps of an account: how many links, passkeys, keys, grants, sources, shares, bookmarks and saved searches it may have, so that no session can fill the database.

import { DAY_MS } from '../../lib/time.ts';
import { Refusal } from '../refusal.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type NamedQuery, type Slot } from '../sql/query.ts';

type Counted = { account_id: string; now: number; since: number };

interface Cap {
  readonly most: number;
  readonly count: NamedQuery<Counted, { readonly count: number }>;
  /** What to do at the cap. */
  readonly remedy: string;
}

const MOST_KEYS = 100;

const CAPS = {
  sign_in_links: capOf(
    'sign_in_links',
    20,
    'sign-in links that were not used; use one of them, or wait 10 minutes until they expire',
  ),
  passkeys: capOf('passkeys', 20, 'passkeys; remove one first'),
  // A key is never deleted, so those of a day count although they are revoked.
  api_keys: {
    most: MOST_KEYS,
    count: query((slot: Slot<Counted>) =>
      rowsOf('api_keys', slot).where((eb) =>
        eb.or([
          eb('created_at', '>', slot('since')),
          eb.and([
            eb('revoked_at', 'is', null),
            eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', slot('now'))]),
          ]),
        ]),
      ),
    ),
    remedy: `There are ${MOST_KEYS} keys that are active or less than a day old; revoke those that you do not use, and try again tomorrow.`,
  },
  grants: capOf('grants', 50, 'connected clients; revoke those that you do not use'),
  pulls: capOf('pulls', 30, 'sources; remove one first'),
  shares: capOf('shares', 50, 'links to memories; revoke one first'),
  bookmarks: capOf(
    'bookmarks',
    2000,
    'memories with a star, a note or a ticked action item; remove one first',
  ),
  searches: capOf('searches', 100, 'saved searches; remove one first'),
} as const satisfies Readonly<Record<string, Cap>>;

/** Returns the cap of a table, all of whose rows of the account count. */
function capOf(table: string, most: number, remedy: string): Cap {
  const count = query((slot: Slot<Counted>) => rowsOf(table, slot));
  return { most, count, remedy: `An account has at most ${most} ${remedy}.` };
}

function rowsOf(table: string, slot: Slot<Counted>) {
  return build
    .selectFrom(table as 'api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', slot('account_id'));
}

/** Rejects with `Refusal` if an account may not have another row in a table. Count when expired ones are removed. */
export async function requireRoom(
  { prepare, now: clock }: Connection,
  table: keyof typeof CAPS,
  account_id: string,
): Promise<void> {
  const { most, count, remedy }: Cap = CAPS[table];
  const now = clock();
  const found = await prepare(count).get({ account_id, now, since: now - DAY_MS });
  if ((found?.count ?? 0) >= most) throw new Refusal(remedy, { code: 'too-many' });
}
