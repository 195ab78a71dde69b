// Writes vectors, finds the memories that have none yet, and removes vectors.

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { countMemories } from '../accounts/accounts.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow, selectRows } from '../sql/row-queries.ts';
import type { VectorSignTable } from '../sql/tables/tables.ts';
import type { VectorKind } from './vectors.ts';

/** A memory whose vectors are to be made. */
export interface PendingMemory {
  readonly id: string;
  readonly body_sha256: string;
  /** The bytes of its body. */
  readonly size: number;
}

/** The vectors of a memory, as they are stored. */
export interface NewVectors extends VectorKind {
  readonly account_id: string;
  readonly memory_id: string;
  readonly body_sha256: string;
  readonly signs: Uint8Array<ArrayBuffer>;
  readonly numbers: Uint8Array<ArrayBuffer>;
}

/** How many memories of an account there are, and how many of them have vectors of a kind. */
export interface Coverage {
  readonly memories: number;
  readonly embedded: number;
}

interface OfKind extends VectorKind {
  readonly account_id: string;
}

interface Page extends OfKind {
  readonly after: string;
  readonly limit: number;
}

/** The vectors of a kind whose memories have not changed since. */
const withoutVectors = query((slot: Slot<Page>) =>
  build
    .selectFrom('memories')
    .leftJoin('vector_signs', (join) =>
      ofSameMemory(
        'vector_signs',
        'memories',
      )(join)
        .onRef('vector_signs.body_sha256', '=', 'memories.body_sha256')
        .on('vector_signs.model', '=', slot('model'))
        .on('vector_signs.cut', '=', slot('cut')),
    )
    .select((eb) => [
      'memories.id',
      'memories.body_sha256',
      eb.fn<number>('octet_length', ['memories.body']).as('size'),
    ])
    .where('memories.account_id', '=', slot('account_id'))
    .where('memories.id', '>', slot('after'))
    .where('vector_signs.memory_id', 'is', null)
    .orderBy('memories.id')
    .limit(slot('limit')),
);

const bodyOf = selectRows('memories', {
  columns: ['body'],
  by: ['account_id', 'id', 'body_sha256'],
});

const countEmbedded = query((slot: Slot<OfKind>) =>
  build
    .selectFrom('vector_signs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', slot('account_id'))
    .where('model', '=', slot('model'))
    .where('cut', '=', slot('cut')),
);

/** Some vectors of a kind. */
const sampleOf = query((slot: Slot<OfKind>) =>
  build
    .selectFrom('vector_signs')
    .innerJoin('vector_values', ofSameMemory('vector_values', 'vector_signs'))
    .select(['vector_signs.signs', 'vector_values.numbers'])
    .where('vector_signs.account_id', '=', slot('account_id'))
    .where('vector_signs.model', '=', slot('model'))
    .where('vector_signs.cut', '=', slot('cut'))
    .where((eb) => eb(eb.fn<number>('octet_length', ['vector_signs.signs']), '>', 0))
    .limit((eb) => eb.lit(1)),
);

const remove = deleteRows('vector_signs', ['account_id']);

const removeOne = deleteRows('vector_signs', ['account_id', 'memory_id']);

/** Adds signs if the memory still has the body that they were made of. */
const addSigns = query((slot: Slot<Omit<VectorSignTable, 'started_at' | 'is_processing'>>) =>
  build
    .insertInto('vector_signs')
    .columns([
      ...(['account_id', 'memory_id', 'started_at', 'is_processing'] as const),
      ...(['body_sha256', 'model', 'cut', 'signs'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select((of) => [
          ...(['account_id', 'id', 'started_at', 'is_processing', 'body_sha256'] as const),
          of.cast<string>(of.val(slot('model')), 'text').as('model'),
          of.cast<number>(of.val(slot('cut')), 'bigint').as('cut'),
          of.val(slot('signs')).as('signs'),
        ])
        .where('account_id', '=', slot('account_id'))
        .where('id', '=', slot('memory_id'))
        .where('body_sha256', '=', slot('body_sha256')),
    ),
);

const addNumbers = insertRow('vector_values');

/** Creates the writes of vectors on a connection. */
export function vectorWrites({ prepare, transaction }: Connection) {
  const held = {
    pending: prepare(withoutVectors),
    body: prepare(bodyOf),
    countMemories: prepare(countMemories),
    countEmbedded: prepare(countEmbedded),
    sample: prepare(sampleOf),
    remove: prepare(remove),
    removeOne: prepare(removeOne),
    addSigns: prepare(addSigns),
    addNumbers: prepare(addNumbers),
  };
  return {
    /** Finds memories that have no vectors of this kind, after an id and in the order of ids. */
    pending: (page: Page): Awaitable<PendingMemory[]> => held.pending.all(page),
    /** Reads a memory, unless it has changed or is gone. */
    memory: (
      wanted: Pick<NewVectors, 'account_id' | 'body_sha256'> & { readonly id: string },
    ): Awaitable<Memory | undefined> =>
      andThen(held.body.get(wanted), (found) => found && fromJson(found.body)),
    /** Counts how many memories have vectors of a kind. */
    coverage: (kind: OfKind): Awaitable<Coverage> =>
      andThen(held.countMemories.get(kind), (all) =>
        andThen(held.countEmbedded.get(kind), (some) => ({
          memories: all?.n ?? 0,
          embedded: some?.n ?? 0,
        })),
      ),
    /** Returns the vectors of some memory that has vectors of a kind. */
    sample: (
      kind: OfKind,
    ): Awaitable<{ readonly signs: Uint8Array; readonly numbers: Uint8Array } | undefined> =>
      held.sample.get(kind),
    /** Replaces the vectors of a memory. Returns false, and adds none, if the memory has changed or is gone. */
    put: ({ numbers, ...signs }: NewVectors): Awaitable<boolean> =>
      transaction(() =>
        andThen(held.removeOne.run(signs), () =>
          andThen(held.addSigns.run(signs), (added) =>
            added === 0 ? false : andThen(held.addNumbers.run({ ...signs, numbers }), () => true),
          ),
        ),
      ),
    /** Removes all vectors of an account, and returns of how many memories. */
    removeAll: (account_id: string): Awaitable<number> => held.remove.run({ account_id }),
  };
}
