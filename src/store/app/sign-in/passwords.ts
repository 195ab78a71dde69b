// Passwords, as hashes, and how often somebody has guessed wrong.

import { andThen } from '../../../lib/async.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows, selectRows, upsertRow } from '../../sql/row-queries.ts';
import type { AppRow } from '../../sql/tables/app-tables.ts';
import { ANY_ACCOUNT, requireAccount, type AppAccess } from '../access.ts';
import type { PasswordStore } from '../app-store.ts';
import { addEvent } from '../log.ts';

/** How long guesses are remembered after the last one. */
const REMEMBERED_MS = DAY_MS;

/** How many subjects are remembered at most: everybody who can reach the gateway can add one. */
const MAX_SUBJECTS = 10_000;

const hashOf = selectRows('passwords', { columns: ['hash'], by: ['account_id'] });

const anyPassword = query((_: Slot<object>) =>
  build
    .selectFrom('passwords')
    .select('account_id')
    .limit((eb) => eb.lit(1)),
);

const put = upsertRow('passwords', ['account_id']);

const removeOne = deleteRows('passwords', ['account_id']);

const guessesOf = query((slot: Slot<{ subject: string; since: number }>) =>
  build
    .selectFrom('sign_in_failures')
    .select(['count', 'last_at'])
    .where('subject', '=', slot('subject'))
    .where('last_at', '>', slot('since')),
);

const addGuess = query((slot: Slot<Omit<AppRow<'sign_in_failures'>, 'count'>>) =>
  build
    .insertInto('sign_in_failures')
    .values((eb) => ({ subject: slot('subject'), count: eb.lit(1), last_at: slot('last_at') }))
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({
        count: eb('sign_in_failures.count', '+', eb.lit(1)),
        last_at: eb.ref('excluded.last_at'),
      })),
    ),
);

const forgetOld = query((slot: Slot<{ since: number }>) =>
  build.deleteFrom('sign_in_failures').where('last_at', '<=', slot('since')),
);

/** Forgets the oldest subjects if there are too many. */
const trim = query((_: Slot<object>) =>
  build.deleteFrom('sign_in_failures').where('last_at', '<=', (eb) =>
    eb
      .selectFrom('sign_in_failures')
      .select('last_at')
      .orderBy('last_at', 'desc')
      .offset(eb.lit(MAX_SUBJECTS - 1))
      .limit(eb.lit(1)),
  ),
);

const forget = deleteRows('sign_in_failures', ['subject']);

/** Creates the reads and writes of passwords and guesses. */
export function passwordStore({ read, write }: AppAccess): PasswordStore {
  return {
    get: (account_id) =>
      read({ account_id }, ({ prepare }) =>
        andThen(prepare(hashOf).get({ account_id }), (found) => found?.hash),
      ),
    set: ({ account_id, hash, agent }) =>
      write({ account_id }, async (on) => {
        await requireAccount(on, account_id);
        await on.prepare(put).run({ account_id, hash, set_at: on.now() });
        await addEvent(on, { account_id, kind: 'password-set', subject: '', agent });
      }),
    remove: ({ account_id, agent }) =>
      write({ account_id }, async (on) => {
        if ((await on.prepare(removeOne).run({ account_id })) === 0) return false;
        await addEvent(on, { account_id, kind: 'password-removed', subject: '', agent });
        return true;
      }),
    isUsed: () =>
      read({ account_id: ANY_ACCOUNT }, ({ prepare }) =>
        andThen(prepare(anyPassword).get({}), (found) => found !== undefined),
      ),
    guesses: (subject) =>
      read({}, ({ prepare, now }) =>
        andThen(
          prepare(guessesOf).get({ subject, since: now() - REMEMBERED_MS }),
          (found) => found ?? { count: 0, last_at: 0 },
        ),
      ),
    countGuess: (subjects) =>
      write({}, async ({ prepare, now }) => {
        const last_at = now();
        await prepare(forgetOld).run({ since: last_at - REMEMBERED_MS });
        await prepare(trim).run({});
        // In one order, so that two transactions never wait for each other.
        for (const subject of subjects.toSorted())
          await prepare(addGuess).run({ subject, last_at });
      }),
    forgetGuesses: (subjects) =>
      write({}, async ({ prepare }) => {
        for (const subject of subjects.toSorted()) await prepare(forget).run({ subject });
      }),
  };
}
