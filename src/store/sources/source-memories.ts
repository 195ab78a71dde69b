// Which memories a source added: a source may delete these, and no others.

import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import { deleteRows, selectRows } from '../sql/row-queries.ts';
import type { SourceMemoryTable } from '../sql/tables/tables.ts';
import { ofSource, type SourceKey } from './runs.ts';

/** A memory, and the source's own id for it. */
export type SourceMemory = Pick<SourceMemoryTable, 'memory_id' | 'item_id'>;

// A memory that exists already came from elsewhere, also if it is in the bin.
const track = query((slot: Slot<SourceMemoryTable>) =>
  build
    .insertInto('source_memories')
    .columns(['account_id', 'source', 'memory_id', 'item_id'])
    .expression(
      build
        .selectNoFrom((eb) =>
          (['account_id', 'source', 'memory_id', 'item_id'] as const).map((column) =>
            eb.cast<string>(eb.val(slot(column)), 'text').as(column),
          ),
        )
        .where((eb) => {
          const there = build
            .selectFrom('memories')
            .select('id')
            .where('account_id', '=', slot('account_id'))
            .where('id', '=', slot('memory_id'));
          const binned = build
            .selectFrom('deleted_memories')
            .select('memory_id')
            .where('account_id', '=', slot('account_id'))
            .where('memory_id', '=', slot('memory_id'));
          return eb.and([eb.not(eb.exists(there)), eb.not(eb.exists(binned))]);
        }),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const find = selectRows('source_memories', {
  columns: ['memory_id', 'item_id'],
  by: ['account_id', 'source', 'memory_id'],
});

const present = query((slot: Slot<Omit<SourceMemoryTable, 'memory_id'>>) =>
  build
    .selectFrom('source_memories')
    .innerJoin('memories', ofSameMemory('memories', 'source_memories'))
    .select('memory_id')
    .where('source_memories.account_id', '=', slot('account_id'))
    .where('source', '=', slot('source'))
    .where('item_id', '=', slot('item_id')),
);

const page = query((slot: Slot<Omit<SourceMemoryTable, 'item_id' | 'memory_id'> & After>) =>
  build
    .selectFrom('source_memories')
    .select(['memory_id', 'item_id'])
    .where('account_id', '=', slot('account_id'))
    .where('source', '=', slot('source'))
    .where('memory_id', '>', slot('after'))
    .orderBy('memory_id')
    .limit((eb) => eb.lit(PAGE)),
);

const PAGE = 1000;

interface After {
  readonly after: string;
}

const untrack = deleteRows('source_memories', ['account_id', 'source', 'item_id']);

const disown = query((slot: Slot<Pick<SourceMemoryTable, 'account_id' | 'memory_id'>>) =>
  build
    .deleteFrom('source_memories')
    .where('account_id', '=', slot('account_id'))
    .where(
      'source',
      'in',
      build.selectFrom('sources').select('name').where('account_id', '=', slot('account_id')),
    )
    .where('memory_id', '=', slot('memory_id')),
);

/** Creates the writes about the memories of sources on a connection. */
export function sourceMemoryWrites({ prepare, transaction }: Connection) {
  const held = {
    track: prepare(track),
    find: prepare(find),
    page: prepare(page),
    present: prepare(present),
    untrack: prepare(untrack),
    disown: prepare(disown),
  };

  /** Returns which of these memories the source added. */
  function own(source: SourceKey, ids: readonly string[]): Awaitable<ReadonlySet<string>> {
    const found = new Set<string>();
    const done = eachInTurn(ids, (memory_id) =>
      andThen(held.find.get({ ...ofSource(source), memory_id }), (row) => {
        if (row) found.add(row.memory_id);
      }),
    );
    return andThen(done, () => found);
  }

  return {
    own,
    /**
     * Notes that the source is about to add memories; those that exist already are left out. Call it
     * before they are written, so that a kill in between loses no note. Returns which are its own.
     */
    track: (source: SourceKey, memories: readonly SourceMemory[]) =>
      transaction(() => {
        const done = eachInTurn(memories, (memory) =>
          andThen(held.track.run({ ...ofSource(source), ...memory }), () => undefined),
        );
        return andThen(done, () =>
          own(
            source,
            memories.map(({ memory_id }) => memory_id),
          ),
        );
      }),
    /** Reads a page of the memories that a source added, in the order of their ids. The last page is empty. */
    page: (source: SourceKey, after: string): Awaitable<SourceMemory[]> =>
      held.page.all({ ...ofSource(source), after }),
    /** Returns the memories that the source added for items, as far as they exist. */
    present(source: SourceKey, items: Iterable<string>): Awaitable<readonly string[]> {
      const found: string[] = [];
      const done = eachInTurn([...items], (item_id) =>
        andThen(held.present.all({ ...ofSource(source), item_id }), (rows) => {
          for (const { memory_id } of rows) found.push(memory_id);
        }),
      );
      return andThen(done, () => found);
    },
    /**
     * Forgets that any source added these memories. Call it when somebody has deleted them: one that is
     * imported later under the same id is not the source's.
     */
    disown: (account_id: string, ids: readonly string[]): Awaitable<void> =>
      transaction(() =>
        eachInTurn(ids, (memory_id) =>
          andThen(held.disown.run({ account_id, memory_id }), () => undefined),
        ),
      ),
    /** Forgets that the source added memories for items. Call it when they are deleted. */
    untrack: (source: SourceKey, items: Iterable<string>): Awaitable<void> =>
      transaction(() =>
        eachInTurn([...items], (item_id) =>
          andThen(held.untrack.run({ ...ofSource(source), item_id }), () => undefined),
        ),
      ),
  };
}
