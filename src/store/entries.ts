// Entries: the rows of accounts, keys and the feed, verified each column by its schema.

import * as v from 'valibot';

import { AccountId, Label } from '../contract/account.ts';
import { Change } from '../contract/change.ts';
import { Timestamp } from '../contract/memory.ts';
import { REBUILD, RESTORE, show } from './finding.ts';
import { build, query, type Slot } from './query.ts';
import type { ApiKeyTable, ChangeEpochTable, ChangeTable } from './tables.ts';

/** What a `Date` can say. */
const Time = v.pipe(v.number(), v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const hex = (digits: number) => v.pipe(v.string(), v.hexadecimal(), v.length(digits));

// SQLite checks no CHECK on a connection that only reads, and PostgreSQL none that was dropped: it is said here again.
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

/** The rows of these tables, those of the feed in its order. */
export const entries = {
  accounts: query((_: Slot<object>) => build.selectFrom('accounts').selectAll()),
  keys: query((_: Slot<object>) => build.selectFrom('api_keys').selectAll()),
  changes: query((_: Slot<object>) =>
    build.selectFrom('changes').selectAll().orderBy('account_id').orderBy('seq'),
  ),
  epochs: query((_: Slot<object>) => build.selectFrom('change_epochs').selectAll()),
};

/** Finds what cannot be in the row of an account. */
export function accountFaults(row: { readonly id: unknown }): Iterable<string> {
  return faults(`Account ${show(row.id)}`, v.safeParse(Account, row), RESTORE);
}

/** Finds what cannot be in the row of a key. */
export function keyFaults(row: ApiKeyTable): Iterable<string> {
  const name = `Key ${show(row.id)} of account ${show(row.account_id)}`;
  return faults(name, v.safeParse(ApiKey, row), RESTORE);
}

/** Makes the function that finds what cannot be in the rows of the feed, in its order, and what is older than the one before it. */
export function changeFaults(): (row: ChangeTable) => Iterable<string> {
  let before = { account_id: '', changed_at: 0 };
  return function* (row) {
    const name = `Change ${show(row.seq)} of account ${show(row.account_id)}`;
    yield* faults(name, v.safeParse(Entry, row), REBUILD);
    if (row.account_id === before.account_id && row.changed_at < before.changed_at)
      yield `${name} is older than the one before it; ${REBUILD}.`;
    before = row;
  };
}

/** Finds what cannot be in the row of an epoch. */
export function epochFaults(row: ChangeEpochTable): Iterable<string> {
  const name = `The epoch of account ${show(row.account_id)} from change ${show(row.first_seq)} on`;
  return faults(name, v.safeParse(Epoch, row), REBUILD);
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
