// Checks of rows that both engines make, column by column, before those of memories and after them.

import * as v from 'valibot';

import { build, query, type NamedQuery, type Slot } from '../sql/query.ts';
import { rowSchemas } from '../sql/row-queries.ts';
import { rows, type ChangeTable, type Tables } from '../sql/tables/tables.ts';
import { detailChecks } from './details.ts';
import { EMBED, REBUILD, RESTORE, show, type CheckPart, type RowCheck } from './findings.ts';
import { feedChecks, orphanChecks, vectorChecks } from './links.ts';

type NameRow = (row: Readonly<Record<string, unknown>>) => string;

const named =
  (what: string, id = 'id'): NameRow =>
  (row) =>
    `${what} ${show(row[id])} of account ${show(row['account_id'])}`;
const ofAccount =
  (what: string): NameRow =>
  ({ account_id }) =>
    `${what} of account ${show(account_id)}`;
const noteOf = ({ source }: Parameters<NameRow>[0]) => `The note of source ${show(source)}`;

/** Creates the check of a table: `name` names a row in a sentence. */
function check<T extends keyof Tables>(
  table: T & keyof typeof rowSchemas,
  name: NameRow,
  remedy = RESTORE,
): RowCheck {
  const all = build.selectFrom(table as 'sessions').selectAll();
  return {
    rows: query((_: Slot<object>) => all),
    faults: (row) => rowFaultsOf(name({ ...row }), v.safeParse(rowSchemas[table], row), remedy),
  };
}

/** The checks of accounts and keys. */
export const accountParts: readonly CheckPart[] = [
  ['The table of accounts', orphanChecks],
  [
    'The table of accounts or of keys',
    [check('accounts', ({ id }) => `Account ${show(id)}`), check('api_keys', named('Key'))],
  ],
];

const epochs = check(
  'change_epochs',
  (row) => `${ofAccount('The epoch')(row)} from change ${show(row['first_seq'])}`,
  REBUILD,
);

const sources = [
  check('sources', named('Source', 'name')),
  check('source_memories', (row) => `${noteOf(row)} about memory ${show(row['memory_id'])}`),
  check('watched_files', (row) => `${noteOf(row)} about file ${JSON.stringify(row['path'])}`),
];

const ofMemory =
  (what: string): NameRow =>
  ({ account_id, memory_id }) =>
    `${what} of memory ${show(memory_id)} of account ${show(account_id)}`;

const details = [
  ...detailChecks,
  check('facets', ofMemory('A person, tag or source')),
  check('facet_totals', ofAccount('A total')),
  check('action_items', ofMemory('An action item')),
  check('corrections', ofAccount('A correction')),
  check('deleted_memories', named('Deleted memory', 'memory_id')),
  check('uncorrected', ofMemory('The imported state')),
];

const vectors = [
  check('vector_signs', ofMemory('The vector signs'), EMBED),
  check('vector_values', ofMemory('The vectors'), EMBED),
  ...vectorChecks,
];

const app = [
  check('sessions', named('Session')),
  check('sign_in_links', ofAccount('A sign-in link')),
  check('challenges', () => 'A challenge for passkeys'),
  check('passkeys', named('Passkey')),
  check('passwords', ofAccount('The password')),
  check('sign_in_failures', () => 'A count of wrong passwords'),
  check('account_events', named('Event', 'seq')),
  check('key_reads', ({ key_id, grant_id }) => `A read of ${show(key_id ?? grant_id)}`),
  check('grants', named('Grant')),
  check('grant_tokens', ({ grant_id }) => `A token of grant ${show(grant_id)}`),
  check('shares', named('Share')),
  check('bookmarks', ofMemory('The bookmark')),
  check('searches', named('Saved search', 'name')),
  check('pulls', named('Pull', 'name')),
  check('oauth_clients', ({ id }) => `Registered client ${show(id)}`),
];

/** Creates the checks of everything else, for one run. */
export function createFeedParts(): readonly CheckPart[] {
  return [
    ['The feed of changes', feedChecks],
    ['The table of the feed', [{ rows: changeRows, faults: changeFaults() }, epochs]],
    ['The tables of sources', sources],
    ['The tables of details', details],
    ['The tables of vectors', vectors],
    ['The tables of the app', app],
  ];
}

/** Reads all changes in feed order. */
const changeRows: NamedQuery<object, object> = query((_: Slot<object>) =>
  build.selectFrom('changes').selectAll().orderBy('account_id').orderBy('seq'),
);

/** Creates a check for the rows of `changes`. Pass them in feed order: it also finds times that go backwards. */
function changeFaults(): RowCheck['faults'] {
  let before = { account_id: '', changed_at: 0 };
  return function* (each) {
    const row = each as ChangeTable;
    const name = `Change ${show(row.seq)} of account ${show(row.account_id)}`;
    yield* rowFaultsOf(name, v.safeParse(rows.changes, row), REBUILD);
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
