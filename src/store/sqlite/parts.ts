// Parts of what a database holds, each counted by itself: accounts, keys, memories, changes.

import type { Database } from 'better-sqlite3';

import { apiKeyState } from '../apikey.ts';
import { build, query, type Slot } from '../query.ts';
import type { ExpiringKey, Facts } from './facts.ts';
import { hold } from './held.ts';
import { accountsIn, keysIn } from './owners.ts';

/** A key that expires within so many days expires soon. */
export const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

const memories = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .select(({ fn }) => [
      fn.countAll<number>().as('memories'),
      fn.min<number | null>('started_at').as('oldest'),
      fn.max<number | null>('started_at').as('newest'),
    ]),
);

const changes = query((_: Slot<object>) =>
  build.selectFrom('changes').select(({ fn }) => fn.countAll<number>().as('changes')),
);

/** Counts a part of what is there. */
export type Part = (db: Database) => Partial<Facts>;

/** All parts, in the order in which they are counted. */
export const parts: readonly Part[] = [readAccounts, readKeys, readMemories, readChanges];

function readAccounts(db: Database): Partial<Facts> {
  const all = accountsIn(db).list();
  const disabled = all.filter(({ disabled_at }) => disabled_at !== null).length;
  return { accounts: { active: all.length - disabled, disabled } };
}

function readKeys(db: Database): Partial<Facts> {
  const now = Date.now();
  const keys = { active: 0, revoked: 0, expired: 0, disabled: 0 };
  const expiring: ExpiringKey[] = [];
  let keys_without_end = 0;
  for (const { id, label, account_id, expires_at, ...dates } of keysIn(db).list()) {
    const state = apiKeyState({ ...dates, expires_at }, now);
    keys[state]++;
    if (state !== 'active') continue;
    if (expires_at === null) keys_without_end++;
    else if (expires_at - now < SOON_DAYS * DAY_MS)
      expiring.push({ id, label, account_id, expires_at });
  }
  const keys_expiring = expiring.toSorted((a, b) => a.expires_at - b.expires_at);
  return { keys, keys_without_end, keys_expiring };
}

function readMemories(db: Database): Partial<Facts> {
  return hold(db, memories).get({}) ?? {};
}

function readChanges(db: Database): Partial<Facts> {
  return hold(db, changes).get({}) ?? {};
}
