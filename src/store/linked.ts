// What belongs together in a database: memories, the feed of their changes, and accounts.

import { named, REBUILD, RESTORE, show } from './finding.ts';
import { build, query, type Query, type Slot } from './query.ts';

/** Counts memories and accounts. */
export const counts = query((_: Slot<object>) =>
  build.selectNoFrom((eb) => [
    eb
      .selectFrom('memories')
      .select((each) => each.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull()
      .as('memories'),
    eb
      .selectFrom('accounts')
      .select((each) => each.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull()
      .as('accounts'),
  ]),
);

const OWNED = ['api_keys', 'memories', 'search_weeks', 'changes', 'change_epochs'] as const;

/** Rows of accounts that are not there, table by table. */
export const orphanFaults = OWNED.map((table) =>
  fault(
    query((_: Slot<object>) =>
      build
        .selectFrom(table as 'api_keys')
        .select('account_id')
        .distinct()
        .where('account_id', 'not in', (eb) => eb.selectFrom('accounts').select('id')),
    ),
    ({ account_id }) =>
      `Account ${show(account_id)} is not there, and ${table} has rows of it; ${RESTORE}.`,
  ),
);

const untold = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .leftJoin('changes', (join) =>
      join
        .onRef('changes.account_id', '=', 'memories.account_id')
        .onRef('changes.memory_id', '=', 'memories.id'),
    )
    .select(['memories.account_id', 'memories.id', 'changes.change'])
    .where('changes.change', 'is distinct from', 'upsert'),
);

const vain = query((_: Slot<object>) =>
  build
    .selectFrom('changes')
    .leftJoin('memories', (join) =>
      join
        .onRef('memories.account_id', '=', 'changes.account_id')
        .onRef('memories.id', '=', 'changes.memory_id'),
    )
    .select(['changes.account_id', 'changes.memory_id as id'])
    .where('changes.change', '=', 'upsert')
    .where('memories.id', 'is', null),
);

const nameless = query((_: Slot<object>) =>
  build
    .selectFrom('changes')
    .select('account_id')
    .distinct()
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('change_epochs')
            .select('epoch')
            .whereRef('change_epochs.account_id', '=', 'changes.account_id')
            .whereRef('first_seq', '<=', 'changes.seq'),
        ),
      ),
    ),
);

/** What the feed of changes tells wrongly, each kind by its rows, and what is said of one. */
export const feedFaults = [
  fault(untold, ({ change, ...memory }) => {
    const what = change === null ? 'is not in the feed' : 'is deleted, says the feed';
    return `${named(memory)} ${what}; ${REBUILD}.`;
  }),
  fault(vain, (memory) => `${named(memory)} is in the feed, and not in the database; ${RESTORE}.`),
  fault(
    nameless,
    ({ account_id }) =>
      `Account ${show(account_id)} has changes in the feed that no epoch begins before; ${REBUILD}.`,
  ),
];

/** What is wrong by the rows that a query finds. */
export interface Fault {
  readonly rows: Query<object, object>;
  readonly say: (row: object) => string;
}

function fault<Row extends object>(rows: Query<object, Row>, say: (row: Row) => string): Fault {
  return { rows, say: say as Fault['say'] };
}
