// Sign-in links and the challenges of passkeys: secrets that work once and live a few minutes.

import { andThen } from '../../../lib/async.ts';
import { systemTime } from '../../../lib/time.ts';
import type { Connection } from '../../sql/query.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows, insertRow } from '../../sql/row-queries.ts';
import { createSecret, hashSecret, requireAccount, type AppAccess } from '../access.ts';
import type { ChallengeStore, LinkStore } from '../app-store.ts';
import { requireRoom } from '../caps.ts';
import { addEvent } from '../log.ts';

const LINK_MS = 600_000;
const CHALLENGE_MS = 300_000;

/** How many challenges there are at most for people who are not signed in, and for each account. */
const MAX_CHALLENGES = 20_000;
const MAX_OWN_CHALLENGES = 20;

/**
 * How far the clock may be set back before a link or challenge ends by that. A later expiry than a new
 * one would have shows that its age is not known.
 */
const CLOCK_MS = 60_000;

const insertLink = insertRow('sign_in_links');

const linkBySecret = query((slot: Slot<{ secret_sha256: string; now: number; latest: number }>) =>
  build
    .selectFrom('sign_in_links')
    .innerJoin('accounts', 'accounts.id', 'sign_in_links.account_id')
    .select(['accounts.id', 'accounts.name', 'signed_in_at', 'expires_at'])
    .where('secret_sha256', '=', slot('secret_sha256'))
    .where('expires_at', '>', slot('now'))
    .where('expires_at', '<=', slot('latest'))
    .where('accounts.disabled_at', 'is', null),
);

/** Removes a link and returns it: to one caller only. */
const takeLink = deleteRows('sign_in_links', ['secret_sha256'], ['account_id']);

/** Removes the links that do not work any more, also because the clock was set back. */
const removeExpiredLinks = query(
  (slot: Slot<{ account_id: string; now: number; latest: number }>) =>
    build
      .deleteFrom('sign_in_links')
      .where('account_id', '=', slot('account_id'))
      .where((eb) =>
        eb.or([eb('expires_at', '<=', slot('now')), eb('expires_at', '>', slot('latest'))]),
      ),
);

/**
 * Finds a link that has not expired, and its account. Links pass from one process to another, such as from the command
 * `sign-in`, so the system's clock dates them.
 */
function find({ prepare }: Connection, secret_sha256: string) {
  const now = systemTime();
  const latest = now + LINK_MS + CLOCK_MS;
  return andThen(prepare(linkBySecret).get({ secret_sha256, now, latest }), (found) => {
    if (found === undefined) return undefined;
    const { expires_at, signed_in_at, ...account } = found;
    return { account, signed_in_at, expires_at };
  });
}

/** Creates the reads and writes of sign-in links. */
export function linkStore({ read, write }: AppAccess): LinkStore {
  return {
    create(account_id, agent, signed_in_at = null) {
      return write({ account_id }, async (on) => {
        await requireAccount(on, account_id);
        const now = systemTime();
        const [secret, expires_at] = [createSecret(), now + LINK_MS];
        const latest = expires_at + CLOCK_MS;
        await on.prepare(removeExpiredLinks).run({ account_id, now, latest });
        // The operator's links always work, whatever a session has done.
        if (signed_in_at !== null) await requireRoom(on, 'sign_in_links', account_id);
        await on
          .prepare(insertLink)
          .run({ secret_sha256: hashSecret(secret), account_id, signed_in_at, expires_at });
        await addEvent(on, { account_id, kind: 'link-created', subject: '', agent });
        return { secret, expires_at };
      });
    },
    look(secret) {
      const secret_sha256 = hashSecret(secret);
      return read({ secret: secret_sha256 }, (on) => find(on, secret_sha256));
    },
    use(secret) {
      const secret_sha256 = hashSecret(secret);
      return write({ secret: secret_sha256 }, async (on) => {
        const found = await find(on, secret_sha256);
        // The deletion decides: on PostgreSQL others may have found the link at the same time.
        const taken = await on.prepare(takeLink).get({ secret_sha256 });
        if (taken === undefined || found === undefined) return undefined;
        return { account: found.account, signed_in_at: found.signed_in_at };
      });
    },
  };
}

const insertChallenge = insertRow('challenges');

const takeChallenge = deleteRows('challenges', ['challenge'], ['account_id', 'expires_at']);

/** Removes the challenges that do not work any more, also because the clock was set back. */
const removeExpiredChallenges = query((slot: Slot<{ now: number; latest: number }>) =>
  build
    .deleteFrom('challenges')
    .where((eb) =>
      eb.or([eb('expires_at', '<=', slot('now')), eb('expires_at', '>', slot('latest'))]),
    ),
);

/** Removes the oldest challenges of people who are not signed in, if there are too many. */
const trimChallenges = query((_: Slot<object>) =>
  build
    .deleteFrom('challenges')
    .where('account_id', 'is', null)
    .where('expires_at', '<=', (eb) =>
      eb
        .selectFrom('challenges')
        .select('expires_at')
        .where('account_id', 'is', null)
        .orderBy('expires_at', 'desc')
        .offset(eb.lit(MAX_CHALLENGES - 1))
        .limit(eb.lit(1)),
    ),
);

/** Removes the oldest challenges of an account if it has too many, so that it takes none from others. */
const trimOwnChallenges = query((slot: Slot<{ account_id: string }>) =>
  build
    .deleteFrom('challenges')
    .where('account_id', '=', slot('account_id'))
    .where('expires_at', '<=', (eb) =>
      eb
        .selectFrom('challenges')
        .select('expires_at')
        .where('account_id', '=', slot('account_id'))
        .orderBy('expires_at', 'desc')
        .offset(eb.lit(MAX_OWN_CHALLENGES - 1))
        .limit(eb.lit(1)),
    ),
);

/** Creates the writes of challenges. */
export function challengeStore({ write }: AppAccess): ChallengeStore {
  return {
    create: (account_id) =>
      write({ account_id: account_id ?? undefined }, async ({ prepare, now: clock }) => {
        const now = clock();
        const challenge = createSecret();
        const expires_at = now + CHALLENGE_MS;
        await prepare(removeExpiredChallenges).run({ now, latest: expires_at + CLOCK_MS });
        if (account_id === null) await prepare(trimChallenges).run({});
        else await prepare(trimOwnChallenges).run({ account_id });
        await prepare(insertChallenge).run({ challenge, account_id, expires_at });
        return challenge;
      }),
    use: (challenge) =>
      write({}, async ({ prepare, now }) => {
        const found = await prepare(takeChallenge).get({ challenge });
        const left = (found?.expires_at ?? 0) - now();
        if (found === undefined || left <= 0 || left > CHALLENGE_MS + CLOCK_MS) return undefined;
        return { account_id: found.account_id };
      }),
  };
}
