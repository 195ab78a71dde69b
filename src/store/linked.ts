// What belongs together in a database: memories, the feed of their changes, and accounts.

import type { Database } from 'better-sqlite3';

import { named, REBUILD, RESTORE, show } from './finding.ts';
import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';

const OWNED = ['api_keys', 'memories', 'search_weeks', 'changes', 'change_epochs'] as const;

const orphans = OWNED.map((table) => ({
  table,
  accounts: query((_: Slot<object>) =>
    build
      .selectFrom(table as 'api_keys')
      .select('account_id')
      .distinct()
      .where('account_id', 'not in', (eb) => eb.selectFrom('accounts').select('id')),
  ),
}));

const untold = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .leftJoin('changes', (join) =>
      join
        .onRef('changes.account_id', '=', 'memories.account_id')
        .onRef('changes.memory_id', '=', 'memories.id'),
    )
    .select(['memories.account_id', 'memories.id', 'changes.change'])
    .where('changes.change', 'is not', 'upsert'),
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

/** Finds rows of accounts that are not there. */
export function* orphanFaults(db: Database): Generator<string> {
  for (const { table, accounts } of orphans) {
    for (const { account_id } of hold(db, accounts).iterate({}))
      yield `Account ${show(account_id)} is not there, and ${table} has rows of it; ${RESTORE}.`;
  }
}

/** Finds what the feed of changes tells wrongly. */
export function* feedFaults(db: Database): Generator<string> {
  for (const { change, ...memory } of hold(db, untold).iterate({})) {
    const what = change === null ? 'is not in the feed' : 'is deleted, says the feed';
    yield `${named(memory)} ${what}; ${REBUILD}.`;
  }
  for (const memory of hold(db, vain).iterate({}))
    yield `${named(memory)} is in the feed, and not in the database; ${RESTORE}.`;
  for (const { account_id } of hold(db, nameless).iterate({}))
    yield `Account ${show(account_id)} has changes in the feed that no epoch begins before; ${REBUILD}.`;
}
