// The gateway's reads on PostgreSQL: each is one statement, one round trip and one snapshot, and sets the account first.

import type { Compilable, Expression } from 'kysely';

import { hasFacets, OF_MEMORY } from '../sql/facets.ts';
import { query, type Slot } from '../sql/query.ts';
import type { OneMemory, WindowValues } from '../sql/reads.ts';
import type { ChangeTable } from '../sql/tables/tables.ts';
import type { Projection, Store } from '../store.ts';
import { postgresQuery as build } from './statements.ts';

/** Reads of a store as one server does them: they return promises. */
export type ServerRead<Name extends keyof Store> = {
  readonly [Read in Name]: (
    ...given: Parameters<NonNullable<Store[Read]>>
  ) => Promise<Awaited<ReturnType<NonNullable<Store[Read]>>>>;
};

/** Queries the schema version of a database. */
export const schemaVersion = query((_: Slot<object>) =>
  build.selectFrom('schema_versions').select((eb) => eb.fn.max('version').as('version')),
);

/**
 * Sets the account for row-level security, for this statement only, and selects the account's row. Reads
 * are joined laterally and depend on that row, so none happens before the account is set. If the account
 * exists, there is at least one row.
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

/** The account column for lateral joins. The query builder cannot know the outer row. */
export const ACCOUNT = 'accounts.id' as 'account_id';

/** Queries one memory, full or slim, with its hash. The text is null if the caller already has that hash. */
export const memory = { body: memoryAs('body'), slim: memoryAs('slim') };

/** Queries the same if the memory is in a window with a number of facets. */
export function memoryInWindow(bytes: Projection, count: number) {
  return memoryAs(bytes, count);
}

function memoryAs(bytes: Projection, count?: number) {
  return query((slot: Slot<OneMemory>) => {
    const one = build
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
    const found =
      count === undefined
        ? one
        : one
            .where('memories.started_at', '>=', slot('low_at') as number)
            .where('memories.started_at', '<', slot('high_at') as number)
            .$if(count > 0, (some) => some.where(hasFacets(OF_MEMORY, { slot, count })));
    return within(slot)
      .leftJoinLateral(found.as('found'), (join) => join.onTrue())
      .select(['accounts.revision', 'found.body_sha256', 'found.sha256', 'found.text']);
  });
}

interface FeedValues extends Partial<WindowValues> {
  readonly account_id: string;
  readonly seq: number;
  readonly epoch: string;
  readonly latest_seq: number;
  readonly latest_epoch: string;
  readonly limit: number;
}

/** The epoch of a sequence number of the account. None before the first change. */
function epochOf(seq: Expression<number | null>) {
  return build
    .selectFrom('change_epochs')
    .select('epoch')
    .whereRef('change_epochs.account_id', '=', ACCOUNT)
    .where('first_seq', '<=', seq)
    .orderBy('first_seq', 'desc')
    .limit((eb) => eb.lit(1))
    .$asScalar();
}

/** Queries the changes of an account in either order: see `changesIn`. */
export const changes = { asc: changesIn('asc'), desc: changesIn('desc') };

/** Queries the same, and whether each of them is of a memory in a window with a number of facets. */
export function changesThroughWindow(order: 'asc' | 'desc', count: number) {
  return changesIn(order, count);
}

/**
 * Queries the changes of an account after a feed position, in order. Each row has `since`, which is
 * null if a restore has undone the position, the latest change of the account, and the epochs.
 */
function changesIn(order: 'asc' | 'desc', count?: number) {
  const byWindow = count !== undefined;
  return query((slot: Slot<FeedValues>) => {
    const latest = build
      .selectFrom('changes')
      .select((eb) => eb.fn.coalesce(eb.fn.max('seq'), eb.lit(0)).as('seq'))
      .whereRef('changes.account_id', '=', ACCOUNT);
    const mark = build
      .selectFrom(latest.as('latest'))
      .select((eb) => {
        const holds = (seqName: 'seq' | 'latest_seq', epochName: 'epoch' | 'latest_epoch') => {
          const seq = eb.cast<number>(eb.val(slot(seqName)), 'bigint');
          const epoch = eb.fn.coalesce(epochOf(seq), eb.cast<string>(eb.val(''), 'text'));
          return eb.and([eb(seq, '<=', eb.ref('latest.seq')), eb(epoch, '=', slot(epochName))]);
        };
        const isValid = eb.and([holds('seq', 'epoch'), holds('latest_seq', 'latest_epoch')]);
        const given = eb.cast<number>(eb.val(slot('seq')), 'bigint');
        const since = eb.case().when(isValid).then(given).end();
        return [
          since.as('since'),
          (order === 'asc'
            ? since
            : eb
                .case()
                .when(eb.not(isValid))
                .then(null)
                .when(given, '=', 0) // from the end
                .then(eb(eb.ref('latest.seq'), '+', eb.lit(1)))
                .else(given)
                .end()
          ).as('from'),
          'latest.seq as latest_seq',
          epochOf(eb.ref('latest.seq')).as('latest_epoch'),
        ];
      })
      // Otherwise the planner evaluates it for each row, without an index.
      .limit((eb) => eb.lit(1));
    const inside = build
      .selectFrom('memories')
      .select((eb) => eb.lit(1).as('is_inside'))
      .whereRef('memories.account_id', '=', ACCOUNT)
      .whereRef('memories.id', '=', 'changes.memory_id' as 'id')
      .where('memories.started_at', '>=', slot('low_at') as number)
      .where('memories.started_at', '<', slot('high_at') as number)
      .$if(byWindow && count > 0, (some) =>
        some.where(hasFacets(OF_MEMORY, { slot, count: count ?? 0 })),
      );
    const all = build
      .selectFrom('changes')
      .select(['seq', 'memory_id', 'change', 'changed_at'])
      .whereRef('changes.account_id', '=', ACCOUNT)
      .whereRef('changes.seq', order === 'asc' ? '>' : '<', 'mark.from' as 'seq')
      .orderBy('seq', order)
      .limit(slot('limit'));
    const page = (byWindow ? all.select(inside.as('is_inside')) : all).$castTo<SeenChange>();
    const rows = within(slot)
      .innerJoinLateral(mark.as('mark'), (join) => join.onTrue())
      .leftJoinLateral(page.as('page'), (join) => join.onTrue())
      .select(['accounts.revision', 'mark.since', 'mark.latest_seq', 'mark.latest_epoch'])
      .select(['page.seq', 'page.memory_id', 'page.change', 'page.changed_at'])
      .select((eb) => epochOf(eb.fn.coalesce('page.seq', 'mark.since')).as('epoch'))
      .orderBy('page.seq', order);
    return byWindow ? rows.select('page.is_inside') : rows.$castTo<RowOf<typeof rows> & NotSeen>();
  });
}

/** A change, and whether its memory starts in the window. */
type SeenChange = Pick<ChangeTable, 'seq' | 'memory_id' | 'change' | 'changed_at'> & {
  readonly is_inside: number | null;
};

/** The rows without a window do not say so. */
interface NotSeen {
  readonly is_inside: null;
}
type RowOf<Q> = Q extends Compilable<infer Row> ? Row : never;
