// Checks the rows of accounts, keys and the change feed, column by column.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { AccountId, Timestamp, Change } from '../../contract/schemas/memory.ts';
import { build, query, type NamedQuery, type Slot } from '../sql/query.ts';
import type { ChangeTable, Tables } from '../sql/tables.ts';
import { REBUILD, RESTORE, show } from './findings.ts';

/** The range of a `Date`, in milliseconds since 1970. */
export const TimeRange = v.pipe(v.number(), v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const hex = (digits: number) => v.pipe(v.string(), v.hexadecimal(), v.length(digits));

// These repeat the CHECK constraints of the schema: SQLite does not evaluate them on reads, and a
// PostgreSQL constraint may have been dropped.
const Account = v.strictObject({
  id: AccountId,
  name: Label,
  created_at: TimeRange,
  created_by: v.picklist(['command line', 'seed']),
  disabled_at: v.nullable(TimeRange),
  revision: hex(32),
});

const ApiKey = v.strictObject({
  key_sha256: hex(64),
  id: AccountId, // an id that commands accept
  account_id: AccountId,
  last_four: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{4}$/)),
  label: Label,
  created_at: TimeRange,
  expires_at: v.nullable(TimeRange),
  revoked_at: v.nullable(TimeRange),
  last_used_at: v.nullable(TimeRange),
  reads: v.picklist(['all', 'summaries']),
  started_after: v.nullable(TimeRange),
  started_before: v.nullable(TimeRange),
});

const Entry = v.strictObject({
  ...Change.entries,
  account_id: AccountId,
  seq: Count,
  changed_at: v.pipe(
    TimeRange,
    v.transform((time) => new Date(time).toISOString()),
    Timestamp,
  ),
});

const Epoch = v.strictObject({ account_id: AccountId, first_seq: Count, epoch: hex(16) });

/** The rows of a table, and the faults of one row. */
export interface RowCheck {
  readonly rows: NamedQuery<object, object>;
  readonly faults: (row: object) => Iterable<string>;
}

/** How the rows of a table are named in a sentence, what they must be, and what to do about one that is not. */
export interface TableCheck {
  readonly name: (row: Readonly<Record<string, unknown>>) => string;
  readonly schema: v.GenericSchema;
  readonly remedy?: string;
}

/** Creates the checks of tables. */
export function rowChecks(tables: Partial<Record<keyof Tables, TableCheck>>): readonly RowCheck[] {
  return Object.entries<TableCheck>(tables).map(([table, { name, schema, remedy = RESTORE }]) => ({
    rows: query((_: Slot<object>) => build.selectFrom(table as 'sessions').selectAll()),
    faults: (row) =>
      rowFaultsOf(name(row as Record<string, unknown>), v.safeParse(schema, row), remedy),
  }));
}

/** The checks of accounts and keys. */
export const accountChecks = rowChecks({
  accounts: { name: ({ id }) => `Account ${show(id)}`, schema: Account },
  api_keys: {
    name: (row) => `Key ${show(row['id'])} of account ${show(row['account_id'])}`,
    schema: ApiKey,
  },
});

/** The checks of epochs. */
export const epochChecks = rowChecks({
  change_epochs: {
    name: (row) =>
      `The epoch of account ${show(row['account_id'])} from change ${show(row['first_seq'])}`,
    schema: Epoch,
    remedy: REBUILD,
  },
});

/** Reads all changes in feed order. */
export const changeRows = query((_: Slot<object>) =>
  build.selectFrom('changes').selectAll().orderBy('account_id').orderBy('seq'),
);

/** Creates a check for the rows of `changes`. Pass them in feed order: it also finds times that go backwards. */
export function changeFaults(): RowCheck['faults'] {
  let before = { account_id: '', changed_at: 0 };
  return function* (each) {
    const row = each as ChangeTable;
    const name = `Change ${show(row.seq)} of account ${show(row.account_id)}`;
    yield* rowFaultsOf(name, v.safeParse(Entry, row), REBUILD);
    if (row.account_id === before.account_id && row.changed_at < before.changed_at)
      yield `${name} is older than the one before it; ${REBUILD}.`;
    before = row;
  };
}

/** Yields a sentence that names the invalid columns of a row, if there are any. */
function* rowFaultsOf(
  name: string,
  { issues = [] }: { readonly issues?: readonly v.BaseIssue<unknown>[] | undefined },
  remedy: string,
): Generator<string> {
  const columns = new Set(issues.map((issue) => v.getDotPath(issue)));
  if (columns.size > 0)
    yield `${name} has an invalid value in ${[...columns].join(', ')}; ${remedy}.`;
}
