// The queries of the gateway for PostgreSQL: each one statement, one round trip and one snapshot, and each names the account first.

import type { Expression } from 'kysely';

import { query, type Slot } from '../query.ts';
import type { Bytes } from '../store.ts';
import { buildPostgres as build } from './build.ts';

/** Finds the schema that a database has. */
export const schemaVersion = query((_: Slot<object>) =>
  build.selectFrom('schema_versions').select((eb) => eb.fn.max('version').as('version')),
);

/**
 * Names the account to the wall of row-level security, for this statement alone, and finds its state.
 * What is read is joined behind it and depends on it, so that no row is looked at before the account is
 * named. There is one row at least, as long as there is the account.
 */
export function within<Values extends { readonly account_id: string }>(slot: Slot<Values>) {
  return build
    .selectFrom(
      build
        .selectNoFrom((eb) =>
          eb
            .fn<string>('set_config', [
              eb.val('memory_gateway.account_id'),
              eb.val(slot('account_id')),
              eb.lit(true),
            ])
            .as('account_id'),
        )
        .as('me'),
    )
    .innerJoin('accounts', 'accounts.id', 'me.account_id');
}

/** The account of the row that is joined behind, which the builder does not know of in a query by itself. */
export const ACCOUNT = 'accounts.id' as 'account_id';

interface One {
  readonly account_id: string;
  readonly id: string;
  readonly known: string;
}

/** Finds one memory of an account, whole or slim, with their hash, without its text where the caller has it. */
export const memory = { body: memoryAs('body'), slim: memoryAs('slim') };

function memoryAs(bytes: Bytes) {
  return query((slot: Slot<One>) => {
    const found = build
      .selectFrom('memories')
      .select((eb) => [
        'body_sha256',
        eb.ref(`${bytes}_sha256`).as('sha256'),
        eb
          .case()
          .when('body_sha256', '=', slot('known'))
          .then(null)
          .else(eb.fn<string>('convert_from', [bytes, eb.val('UTF8')]))
          .end()
          .as('text'),
      ])
      .whereRef('memories.account_id', '=', ACCOUNT)
      .where('memories.id', '=', slot('id'))
      .limit((eb) => eb.lit(1));
    return within(slot)
      .leftJoinLateral(found.as('found'), (join) => join.onTrue())
      .select(['accounts.revision', 'found.body_sha256', 'found.sha256', 'found.text']);
  });
}

interface Since {
  readonly account_id: string;
  readonly seq: number;
  readonly epoch: string;
  readonly limit: number;
}

/** Who wrote a change of the account: nobody the one before the first. */
function epochOf(seq: Expression<number>) {
  return build
    .selectFrom('change_epochs')
    .select('epoch')
    .whereRef('change_epochs.account_id', '=', ACCOUNT)
    .where('first_seq', '<=', seq)
    .orderBy('first_seq', 'desc')
    .limit((eb) => eb.lit(1))
    .$asScalar();
}

/**
 * Reads the changes of an account behind a mark, oldest first: from the start where the mark is of a time
 * that a restore has undone. Each row tells where the reading began, and who wrote its last change.
 */
export const changes = query((slot: Slot<Since>) => {
  const mark = build.selectNoFrom((eb) => {
    const seq = eb.cast<number>(eb.val(slot('seq')), 'bigint');
    const latest = build
      .selectFrom('changes')
      .select((all) => all.fn.max('seq').as('seq'))
      .whereRef('changes.account_id', '=', ACCOUNT)
      .$asScalar();
    const isOurs = eb.and([
      eb(seq, '<=', eb.fn.coalesce(latest, eb.lit(0))),
      eb(eb.fn.coalesce(epochOf(seq), eb.cast<string>(eb.val(''), 'text')), '=', slot('epoch')),
    ]);
    return eb.case().when(isOurs).then(seq).else(eb.lit(0)).end().as('since');
  });
  const once = mark.limit((eb) => eb.lit(1)); // else the planner finds it anew for each row, by no index
  const page = build
    .selectFrom('changes')
    .select(['seq', 'memory_id', 'change', 'changed_at'])
    .whereRef('changes.account_id', '=', ACCOUNT)
    .whereRef('changes.seq', '>', 'mark.since' as 'seq')
    .orderBy('seq')
    .limit(slot('limit'));
  return within(slot)
    .innerJoinLateral(once.as('mark'), (join) => join.onTrue())
    .leftJoinLateral(page.as('page'), (join) => join.onTrue())
    .select(['accounts.revision', 'mark.since'])
    .select(['page.seq', 'page.memory_id', 'page.change', 'page.changed_at'])
    .select((eb) => epochOf(eb.fn.coalesce('page.seq', 'mark.since')).as('epoch'))
    .orderBy('page.seq');
});
