// The caps of an account: how many links, passkeys, keys and grants it may have, so that no session can fill the database.

import { DAY_MS } from '../../lib/time.ts';
import { Refusal } from '../refusal.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';

const MOST_LINKS = 20;
const MOST_PASSKEYS = 20;
const MOST_KEYS = 100;
const MOST_GRANTS = 50;

type OfAccount = { account_id: string };

const countLinks = query((slot: Slot<OfAccount>) =>
  build
    .selectFrom('sign_in_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', slot('account_id')),
);

const countPasskeys = query((slot: Slot<OfAccount>) =>
  build
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', slot('account_id')),
);

const countKeys = query((slot: Slot<OfAccount & { now: number; since: number }>) =>
  build
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', slot('account_id'))
    .where((eb) =>
      eb.or([
        eb('created_at', '>', slot('since')),
        eb.and([
          eb('revoked_at', 'is', null),
          eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', slot('now'))]),
        ]),
      ]),
    ),
);

const countGrants = query((slot: Slot<OfAccount>) =>
  build
    .selectFrom('grants')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', slot('account_id')),
);

/** Rejects with `Refusal` if an account may not have another grant. Count when expired ones are removed. */
export async function requireRoomForGrant({ prepare }: Connection, of: OfAccount): Promise<void> {
  const found = await prepare(countGrants).get(of);
  if ((found?.count ?? 0) >= MOST_GRANTS)
    throw full(
      `An account has at most ${MOST_GRANTS} connected clients; revoke those that you do not use.`,
    );
}

/** Rejects with `Refusal` if a session may not make another link. Count when expired ones are removed. */
export async function requireRoomForLink({ prepare }: Connection, of: OfAccount): Promise<void> {
  const found = await prepare(countLinks).get(of);
  if ((found?.count ?? 0) >= MOST_LINKS)
    throw full(
      `There are ${MOST_LINKS} sign-in links that were not used; use one of them, or wait 10 minutes until they expire.`,
    );
}

/** Rejects with `Refusal` if an account may not have another passkey. */
export async function requireRoomForPasskey({ prepare }: Connection, of: OfAccount): Promise<void> {
  const found = await prepare(countPasskeys).get(of);
  if ((found?.count ?? 0) >= MOST_PASSKEYS)
    throw full(`An account has at most ${MOST_PASSKEYS} passkeys; remove one first.`);
}

/**
 * Rejects with `Refusal` if the app may not create another key. A key is never deleted, so those of a day count
 * although they are revoked.
 */
export async function requireRoomForKey(
  { prepare, now: clock }: Connection,
  { account_id }: OfAccount,
): Promise<void> {
  const now = clock();
  const found = await prepare(countKeys).get({ account_id, now, since: now - DAY_MS });
  if ((found?.count ?? 0) >= MOST_KEYS)
    throw full(
      `There are ${MOST_KEYS} keys that are active or less than a day old; revoke those that you do not use, and try again tomorrow.`,
    );
}

function full(message: string): Refusal {
  return new Refusal(message, { code: 'too-many' });
}
