// Entries: the rows of accounts, keys and the feed, read one by one to be verified, each column by its schema.

import type { Database } from 'better-sqlite3';
import * as v from 'valibot';

import { AccountId, Label } from '../contract/account.ts';
import { Change } from '../contract/change.ts';
import { Timestamp } from '../contract/memory.ts';
import { REBUILD, RESTORE, show } from './finding.ts';
import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';

/** What a `Date` can say. */
const Time = v.pipe(v.number(), v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const hex = (digits: number) => v.pipe(v.string(), v.hexadecimal(), v.length(digits));

// SQLite checks no CHECK on a connection that only reads, so what they say is said here again.
const Account = v.strictObject({
  id: AccountId,
  name: Label,
  created_at: Time,
  created_by: v.picklist(['command line', 'seed']),
  disabled_at: v.nullable(Time),
  revision: hex(32),
});

const ApiKey = v.strictObject({
  key_sha256: hex(64),
  id: AccountId, // which is what a command can be given
  account_id: AccountId,
  last_four: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{4}$/)),
  label: Label,
  created_at: Time,
  expires_at: v.nullable(Time),
  revoked_at: v.nullable(Time),
});

const Entry = v.strictObject({
  ...Change.entries,
  account_id: AccountId,
  seq: Count,
  changed_at: v.pipe(
    Time,
    v.transform((time) => new Date(time).toISOString()),
    Timestamp,
  ),
});

const Epoch = v.strictObject({ account_id: AccountId, first_seq: Count, epoch: hex(16) });

const accounts = query((_: Slot<object>) => build.selectFrom('accounts').selectAll());
const keys = query((_: Slot<object>) => build.selectFrom('api_keys').selectAll());
const epochs = query((_: Slot<object>) => build.selectFrom('change_epochs').selectAll());
const changes = query((_: Slot<object>) =>
  build.selectFrom('changes').selectAll().orderBy('account_id').orderBy('seq'),
);

/** Finds what cannot be in the rows of accounts and of keys. */
export function* ownerFaults(db: Database): Generator<string> {
  for (const row of hold(db, accounts).iterate({}))
    yield* faults(`Account ${show(row.id)}`, v.safeParse(Account, row), RESTORE);
  for (const row of hold(db, keys).iterate({}))
    yield* faults(
      `Key ${show(row.id)} of account ${show(row.account_id)}`,
      v.safeParse(ApiKey, row),
      RESTORE,
    );
}

/** Finds what cannot be in the rows of the feed, and changes that are older than the one before them. */
export function* entryFaults(db: Database): Generator<string> {
  let before = { account_id: '', changed_at: 0 };
  for (const row of hold(db, changes).iterate({})) {
    const name = `Change ${show(row.seq)} of account ${show(row.account_id)}`;
    yield* faults(name, v.safeParse(Entry, row), REBUILD);
    if (row.account_id === before.account_id && row.changed_at < before.changed_at)
      yield `${name} is older than the one before it; ${REBUILD}.`;
    before = row;
  }
  for (const row of hold(db, epochs).iterate({})) {
    const name = `The epoch of account ${show(row.account_id)} from change ${show(row.first_seq)} on`;
    yield* faults(name, v.safeParse(Epoch, row), REBUILD);
  }
}

function* faults(
  name: string,
  { issues = [] }: { readonly issues?: readonly v.BaseIssue<unknown>[] | undefined },
  remedy: string,
): Generator<string> {
  const columns = new Set(issues.map((issue) => v.getDotPath(issue)));
  if (columns.size > 0)
    yield `${name} has what cannot be in ${[...columns].join(', ')}; ${remedy}.`;
}
