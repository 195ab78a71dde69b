// Sessions: created by a sign-in, found by the hash of their token, and ended.

import { v7 as uuid } from 'uuid';

import { andThen } from '../../../lib/async.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { Refusal } from '../../refusal.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows, insertRow, updateRows } from '../../sql/row-queries.ts';
import type { AppRow } from '../../sql/tables/app-tables.ts';
import { createSecret, hashSecret, requireAccount, type AppAccess } from '../access.ts';
import type { SessionRecord, SessionStore } from '../app-store.ts';
import { removeOldReads } from '../credential-use.ts';
import { addEvent } from '../log.ts';
import { endSessions } from './end-sessions.ts';

/** How long a session lives without use, in all, and in all if it is short. */
const IDLE_MS = 30 * DAY_MS;
const LIFE_MS = 90 * DAY_MS;
const SHORT_MS = DAY_MS / 2;

/** How many sessions an account has at most. */
const MAX_SESSIONS = 20;

/** How often the use of a session is written at most. */
const SEEN_MS = 600_000;

const COLUMNS = [
  'sessions.id',
  'sessions.account_id',
  'sessions.way',
  'sessions.agent',
  'sessions.created_at',
  'sessions.signed_in_at',
  'sessions.seen_at',
  'sessions.ends_at',
  'sessions.is_short',
] as const;

const byToken = query((slot: Slot<{ token_sha256: string; now: number }>) =>
  build
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(COLUMNS)
    .select('accounts.name')
    .where('token_sha256', '=', slot('token_sha256'))
    .where('ends_at', '>', slot('now'))
    .where('accounts.disabled_at', 'is', null),
);

const listOf = query((slot: Slot<{ account_id: string; now: number }>) =>
  build
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('account_id', '=', slot('account_id'))
    .where('ends_at', '>', slot('now'))
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc'),
);

const insert = insertRow('sessions');

/** Removes the sessions of an account that have ended. */
const removeEnded = query((slot: Slot<{ account_id: string; now: number }>) =>
  build
    .deleteFrom('sessions')
    .where('account_id', '=', slot('account_id'))
    .where('ends_at', '<=', slot('now')),
);

/** Leaves room for one more session: those that were not used for longest end. */
const makeRoom = query((slot: Slot<{ account_id: string }>) =>
  build
    .deleteFrom('sessions')
    .where('account_id', '=', slot('account_id'))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', slot('account_id'))
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(eb.lit(MAX_SESSIONS - 1)),
    ),
);

const removeOne = deleteRows('sessions', ['account_id', 'id']);

const noteUse = updateRows('sessions', { set: ['seen_at', 'ends_at'], by: ['account_id', 'id'] });

/** Creates the reads and writes of sessions. */
export function sessionStore({ read, write, tryWrite, now: clock }: AppAccess): SessionStore {
  /** When writing the use of a session failed last. */
  let failedAt = -Infinity;

  return {
    find: (token_sha256) =>
      read({ secret: token_sha256 }, ({ prepare, now }) =>
        andThen(prepare(byToken).get({ token_sha256, now: now() }), (row) => {
          if (row === undefined) return undefined;
          const { name, ...session } = row;
          return { session: toRecord(session), account: { id: row.account_id, name } };
        }),
      ),
    create({ account_id, way, agent, is_short, signed_in_at }) {
      const token = createSecret();
      return write({ account_id }, async (on) => {
        const now = on.now();
        const ends_at = now + (is_short ? SHORT_MS : IDLE_MS);
        const times = { created_at: now, signed_in_at: signed_in_at ?? now, seen_at: now, ends_at };
        const session = { id: uuid(), account_id, way, agent, ...times, is_short };
        await requireAccount(on, account_id);
        await on.prepare(removeEnded).run({ account_id, now });
        await removeOldReads(on);
        await on.prepare(makeRoom).run({ account_id });
        const row = { ...session, is_short: Number(is_short), token_sha256: hashSecret(token) };
        await on.prepare(insert).run(row);
        await addEvent(on, { account_id, kind: 'signed-in', subject: way, agent });
        return { token, session };
      });
    },
    list: (account_id) =>
      read({ account_id }, ({ prepare, now }) =>
        andThen(prepare(listOf).all({ account_id, now: now() }), (rows) => rows.map(toRecord)),
      ),
    end: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        if ((await on.prepare(removeOne).run({ account_id, id })) === 0) return false;
        await addEvent(on, { account_id, kind: 'signed-out', subject: '', agent });
        return true;
      }),
    endAll: ({ account_id, except, agent }) =>
      write({ account_id }, async (on) => {
        const count = await endSessions(on, account_id, except);
        await addEvent(on, { account_id, kind: 'sessions-ended', subject: '', agent });
        return count;
      }),
    async seen({ id, account_id, created_at, seen_at, is_short, ends_at }) {
      const at = clock();
      // Also if the clock was set back, so that no session lives longer by that.
      if (Math.abs(at - seen_at) < SEEN_MS) return;
      if (performance.now() - failedAt < SEEN_MS / 10) return;
      const ends = is_short ? ends_at : Math.min(created_at + LIFE_MS, at + IDLE_MS);
      try {
        await tryWrite({ account_id }, ({ prepare }) =>
          Promise.resolve(prepare(noteUse).run({ account_id, id, seen_at: at, ends_at: ends })),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        failedAt = performance.now(); // it is written later
      }
    },
  };
}

function toRecord({ is_short, ...row }: Omit<AppRow<'sessions'>, 'token_sha256'>): SessionRecord {
  return { ...row, is_short: is_short === 1 };
}
