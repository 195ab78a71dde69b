// Many: what is asked of many memories by one statement, which looks each up by its id.

import { query, type Slot } from '../query.ts';
import { buildPostgres as build } from './build.ts';

/** The ids of memories, each kind as one text with spaces between: no id has one. */
export interface Many {
  readonly account_ids: string;
  readonly ids: string;
}

/** Those that an import has come by, as `Many` has ids. */
export interface ManyImported extends Many {
  readonly hashes: string;
}

/** The rows that are joined behind, of which the builder does not know in a query by itself. */
const ACCOUNT_ID = 'many.account_id' as 'account_id';
const ID = 'many.id' as 'id';
const MEMORY_ID = 'many.id' as 'memory_id';

/** Finds the hashes of the memories that are there. */
export const hashes = query((slot: Slot<Many>) =>
  build
    .selectFrom(many(slot).as('many'))
    // One by one, by their index: a plan is made once, whatever becomes of the table.
    .innerJoinLateral(
      build
        .selectFrom('memories')
        .select('body_sha256')
        .whereRef('memories.account_id', '=', ACCOUNT_ID)
        .whereRef('memories.id', '=', ID)
        .limit((eb) => eb.lit(1))
        .as('found'),
      (join) => join.onTrue(),
    )
    .select(['many.account_id', 'many.id', 'found.body_sha256']),
);

/** Finds the hashes of those that came before in the same import. */
export const imported = query((slot: Slot<Many>) =>
  build
    .selectFrom(many(slot).as('many'))
    .innerJoinLateral(
      build
        .selectFrom('pg_temp.imported as before')
        .select('body_sha256')
        .whereRef('before.account_id', '=', ACCOUNT_ID)
        .whereRef('before.memory_id', '=', MEMORY_ID)
        .limit((eb) => eb.lit(1))
        .as('found'),
      (join) => join.onTrue(),
    )
    .select(['many.account_id', 'many.id', 'found.body_sha256']),
);

/** Takes down what came first of its id. */
export const remember = query((slot: Slot<ManyImported>) =>
  build
    .insertInto('pg_temp.imported')
    .columns(['account_id', 'memory_id', 'body_sha256'])
    .expression(
      build.selectNoFrom((eb) =>
        (['account_ids', 'ids', 'hashes'] as const).map((name) =>
          eb.fn<string>('string_to_table', [eb.val(slot(name)), eb.val(' ')]).as(name),
        ),
      ),
    ),
);

function many(slot: Slot<Many>) {
  return build.selectNoFrom((eb) => [
    eb.fn<string>('string_to_table', [eb.val(slot('account_ids')), eb.val(' ')]).as('account_id'),
    eb.fn<string>('string_to_table', [eb.val(slot('ids')), eb.val(' ')]).as('id'),
  ]);
}
