// Checks of references between tables: memories, their changes in the feed, and their accounts.

import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { OWNED_TABLES } from '../sql/tables/account-tables.ts';
import { checkEach, EMBED, memoryName, REBUILD, RESTORE, show } from './findings.ts';

/** Counts memories and accounts. */
export const countRows = query((_: Slot<object>) =>
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

/** Finds rows that name an account that does not exist, table by table. */
export const orphanChecks = [...OWNED_TABLES, 'memories'].map((table) =>
  checkEach(
    query((_: Slot<object>) =>
      build
        .selectFrom(table as 'api_keys')
        .select('account_id')
        .distinct()
        .where('account_id', 'not in', (eb) => eb.selectFrom('accounts').select('id')),
    ),
    ({ account_id }) =>
      `Account ${show(account_id)} does not exist, but ${table} has rows of it; ${RESTORE}.`,
  ),
);

const missingInFeed = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .leftJoin('changes', ofSameMemory('changes', 'memories'))
    .select(['memories.account_id', 'memories.id', 'changes.change'])
    .where('changes.change', 'is distinct from', 'upsert'),
);

const missingInDatabase = query((_: Slot<object>) =>
  build
    .selectFrom('changes')
    .leftJoin('memories', ofSameMemory('memories', 'changes'))
    .select(['changes.account_id', 'changes.memory_id as id'])
    .where('changes.change', '=', 'upsert')
    .where('memories.id', 'is', null),
);

const withoutEpoch = query((_: Slot<object>) =>
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

/** Finds changes and memories that contradict each other. */
export const feedChecks = [
  checkEach(missingInFeed, ({ change, ...memory }) => {
    const what = change === null ? 'is missing in the feed' : 'is deleted according to the feed';
    return `${memoryName(memory)} ${what}; ${REBUILD}.`;
  }),
  checkEach(
    missingInDatabase,
    (memory) => `${memoryName(memory)} is in the feed but not in the database; ${RESTORE}.`,
  ),
  checkEach(
    withoutEpoch,
    ({ account_id }) =>
      `Account ${show(account_id)} has changes in the feed without an epoch; ${REBUILD}.`,
  ),
];

const staleVectors = query((_: Slot<object>) =>
  build
    .selectFrom('vector_signs')
    .leftJoin('memories', ofSameMemory('memories', 'vector_signs'))
    .select(['vector_signs.account_id', 'vector_signs.memory_id as id'])
    .where((eb) =>
      eb.or([
        eb('memories.body_sha256', 'is distinct from', eb.ref('vector_signs.body_sha256')),
        eb('memories.started_at', 'is distinct from', eb.ref('vector_signs.started_at')),
        eb('memories.is_processing', 'is distinct from', eb.ref('vector_signs.is_processing')),
      ]),
    ),
);

const missingNumbers = query((_: Slot<object>) =>
  build
    .selectFrom('vector_signs')
    .leftJoin('vector_values', ofSameMemory('vector_values', 'vector_signs'))
    .select(['vector_signs.account_id', 'vector_signs.memory_id as id'])
    .where('vector_values.memory_id', 'is', null),
);

/** Finds vectors that do not belong to the memory as it is, or lack a part. */
export const vectorChecks = [
  checkEach(
    staleVectors,
    (memory) => `${memoryName(memory)} has vectors of another text or time; ${EMBED}.`,
  ),
  checkEach(
    missingNumbers,
    (memory) => `${memoryName(memory)} lacks numbers of its vectors; ${EMBED}.`,
  ),
];
