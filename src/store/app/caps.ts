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

const MOST_LINKS = 20;
const MOST_PASSKEYS = 20;
const MOST_KEYS = 100;
const MOST_GRANTS = 50;
const MOST_PULLS = 30;
const MOST_SHARES = 50;
const MOST_BOOKMARKS = 2000;
const MOST_SEARCHES = 100;

const CAPS = {
  sign_in_links: {
    most: MOST_LINKS,
    count: query((slot: Slot<Counted>) => rowsOf('sign_in_links', slot)),
    remedy: `There are ${MOST_LINKS} sign-in links that were not used; use one of them, or wait 10 minutes until they expire.`,
  },
  passkeys: {
    most: MOST_PASSKEYS,
    count: query((slot: Slot<Counted>) => rowsOf('passkeys', slot)),
    remedy: `An account has at most ${MOST_PASSKEYS} passkeys; remove one first.`,
  },
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
  grants: {
    most: MOST_GRANTS,
    count: query((slot: Slot<Counted>) => rowsOf('grants', slot)),
    remedy: `An account has at most ${MOST_GRANTS} connected clients; revoke those that you do not use.`,
  },
  pulls: {
    most: MOST_PULLS,
    count: query((slot: Slot<Counted>) => rowsOf('pulls', slot)),
    remedy: `An account has at most ${MOST_PULLS} sources; remove one first.`,
  },
  shares: {
    most: MOST_SHARES,
    count: query((slot: Slot<Counted>) => rowsOf('shares', slot)),
    remedy: `An account has at most ${MOST_SHARES} links to memories; revoke one first.`,
  },
  bookmarks: {
    most: MOST_BOOKMARKS,
    count: query((slot: Slot<Counted>) => rowsOf('bookmarks', slot)),
    remedy: `An account has at most ${MOST_BOOKMARKS} memories with a star, a note or a ticked action item; remove one first.`,
  },
  searches: {
    most: MOST_SEARCHES,
    count: query((slot: Slot<Counted>) => rowsOf('searches', slot)),
    remedy: `An account has at most ${MOST_SEARCHES} saved searches; remove one first.`,
  },
} as const satisfies Readonly<Record<string, Cap>>;

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
