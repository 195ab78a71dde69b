// Writes memories: checked by the contract and serialised once, on their way in.

import type { Database } from 'better-sqlite3';

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/memory.ts';
import { build, query, type Slot } from '../query.ts';
import { ready, type NewMemory, type Ready, type Written } from '../ready.ts';
import { COLUMNS, type Row } from '../rows.ts';
import { beginEpoch } from './changes.ts';
import { hold } from './held.ts';
import { searchWrites } from './search.ts';

/** A memory that was written, whose words the index is still to take, and to forget those of the old one. */
interface Words {
  readonly account_id: string;
  readonly pk: number;
  readonly old: Memory | undefined;
  readonly memory: Memory;
}

const find = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('memories')
    .select(['pk', 'body'])
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id')),
);

const put = query((slot: Slot<Row>) =>
  build
    .insertInto('memories')
    .values(Object.fromEntries(COLUMNS.map((column) => [column, slot(column)])) as unknown as Row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .returning('pk'),
);

const remove = query((slot: Slot<{ pk: number }>) =>
  build.deleteFrom('memories').where('pk', '=', slot('pk')),
);

const count = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('memories'))
    .where('account_id', '=', slot('account_id')),
);

/** The writes of memories on a connection. */
export function memoryWrites(db: Database) {
  const held = {
    find: hold(db, find),
    put: hold(db, put),
    remove: hold(db, remove),
    count: hold(db, count),
  };
  const search = searchWrites(db);
  const begin = beginEpoch(db);

  function write({ row, memory }: Ready): Words | undefined {
    const { account_id, id } = row;
    const old = held.find.get({ account_id, id });
    // An unchanged memory is not rewritten: its account's revision, and so every etag, stays.
    if (old && Buffer.compare(old.body, row.body) === 0) return undefined;
    begin(account_id);
    const { pk } = held.put.get(row) as { pk: number };
    return { account_id, pk, old: old && fromJson(old.body), memory };
  }

  const writeAll = db.transaction((all: readonly Ready[]): Written[] => {
    // Words after all memories, not each after its own: a write that sets off triggers has the index
    // write out what it has collected, which costs more than to collect it (measured: 190 → 55 µs).
    const written = all.map(write);
    for (const words of written) {
      if (words === undefined) continue;
      const { account_id, pk, old, memory } = words;
      if (old) search.remove(account_id, pk, old);
      search.add(account_id, pk, memory);
    }
    return written.map((words) => (words ? (words.old ? 'updated' : 'added') : 'unchanged'));
  });

  const erase = db.transaction((account_id: string, id: string): boolean => {
    const old = held.find.get({ account_id, id });
    if (old === undefined) return false;
    begin(account_id);
    search.remove(account_id, old.pk, fromJson(old.body));
    held.remove.run(old);
    return true;
  });

  return {
    /**
     * Adds a memory to an account, or replaces the one that has its id; `user_id` becomes the
     * account's. Returns whether anything changed. Fails with `ValiError` when the contract does not hold.
     */
    put: (account_id: string, memory: NewMemory): boolean =>
      writeAll.immediate([ready(account_id, memory)])[0] !== 'unchanged',
    /**
     * Puts many memories, all or none, for half of what it costs to put each. Returns what became of
     * them, in order. Fails as `put` does when the contract does not hold for one of them.
     */
    putAll: (account_id: string, memories: readonly NewMemory[]): Written[] =>
      writeAll.immediate(memories.map((memory) => ready(account_id, memory))),
    /** Puts what `ready` has made, of any accounts. */
    putReady: (all: readonly Ready[]): Written[] => writeAll.immediate(all),
    /** Deletes a memory and leaves its id in the feed of changes. Returns whether it was there. */
    delete: (account_id: string, id: string): boolean => erase.immediate(account_id, id),
    count: (account_id: string): number => held.count.get({ account_id })?.memories ?? 0,
  };
}
