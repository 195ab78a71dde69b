// Writes of a history to the service, and their effect on the model.

import assert from 'node:assert/strict';

import { memory, type World } from '../world/world.ts';
import { erase, put, type Account, type Kept } from './model.ts';
import type { Texts, Write } from './steps.ts';

const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const UNDONE = new Error('undone');
/** A text without words. */
const PADDING = '-'.repeat(150_000);

/** Picks an item by any number. */
export function pick<T>(all: readonly T[], which: number): T | undefined {
  return all[which % all.length];
}

/** The target of the writes, and whether the transcripts are long. */
export interface Into {
  readonly world: World;
  readonly isLong: boolean;
}

type Of<K> = Extract<Write, { write: K }>;
type Writes = { readonly [K in Write['write']]: (what: Of<K>) => Account };

/** Runs a write. Returns the account after it. */
export function write({ world, isLong }: Into, account: Account, what: Write): Account {
  const { writer } = world;
  const padding = isLong ? PADDING : '';
  const writes: Writes = {
    put: (given) => putBoth(keptOf(given)),
    all({ puts, again }) {
      const same = pick(Array.from(account.kept.values()), again);
      return putAllBoth([...puts.map(keptOf), ...(same ? [same] : [])]);
    },
    same: on((old) => putBoth({ ...old, memory: { ...old.memory, user_id: 'not mine' } })),
    move: on((old, { time }) => {
      const times = { started_at: time, ended_at: later(time, 1) };
      return putBoth({ ...old, memory: { ...old.memory, ...times } });
    }),
    change: on(({ memory: old }, { texts }) =>
      putBoth(told({ ...old, time: old.started_at, padding }, texts)),
    ),
    delete: on(({ memory: { id } }) => eraseBoth(id)),
    miss: ({ id }) => eraseBoth(id),
  };
  return (writes[what.write] as (what: Write) => Account)(what);

  /** Runs a write on an existing memory, or does nothing if there is none. */
  function on<W extends { readonly memory: number }>(work: (old: Kept, what: W) => Account) {
    return (given: W): Account => {
      const old = pick(Array.from(account.kept.values()), given.memory);
      return old === undefined ? account : work(old, given);
    };
  }

  function keptOf({ lasts, ...given }: Of<'put'>): Kept {
    return told({ ...given, ended_at: later(given.time, lasts), padding }, given.texts);
  }

  function putAllBoth(all: readonly Kept[]): Account {
    let after = account;
    const expected = all.map((kept) => {
      const before = after;
      after = put(before, kept);
      if (after === before) return 'unchanged';
      return before.kept.has(kept.memory.id) ? 'updated' : 'added';
    });
    const given = all.map(({ memory: each }) => each);
    assert.deepEqual(writer.memories.putAll(account.id, given), expected);
    return after;
  }

  function putBoth(kept: Kept): Account {
    const after = put(account, kept);
    assert.equal(writer.memories.put(account.id, kept.memory), after !== account, 'put says');
    return after;
  }

  function eraseBoth(id: string): Account {
    const after = erase(account, id);
    assert.equal(writer.memories.delete(account.id, id), after !== account, 'delete says');
    return after;
  }
}

/**
 * Runs writes in one transaction. Returns the accounts after it, which are unchanged if it is
 * rolled back.
 */
export function transact(
  into: Into,
  accounts: readonly Account[],
  { writes, end }: { readonly writes: readonly Write[]; readonly end: string },
): readonly Account[] {
  const { writer } = into.world;
  const after = [...accounts];
  try {
    writer.transaction(() => {
      for (const each of writes) {
        const at = each.account % after.length;
        after[at] = write(into, after[at] as Account, each);
      }
      if (end === 'throw') throw UNDONE;
      const broken = { ...memory({ id: 'broken' }), ended_at: '1900-01-01T00:00:00.000Z' };
      if (end === 'refused') writer.memories.put(accounts[0]!.id, broken);
    });
  } catch (error) {
    const isMeant =
      error === UNDONE || (end === 'refused' && (error as Error).name === 'ValiError');
    if (!isMeant) throw error;
    return accounts;
  }
  assert.equal(end, 'commit');
  return after;
}

interface Draft {
  readonly id: string;
  readonly time: string;
  readonly ended_at: string;
  readonly is_processing: boolean;
  readonly padding: string;
}

/** Gives a memory its texts, without a summary while it is processing. */
function told({ id, time, ended_at, is_processing, padding }: Draft, texts: Texts): Kept {
  const { name, transcript } = texts;
  const nothing = { spelling: '', words: [] };
  const quick = is_processing ? nothing : texts.quick_summary;
  const takeaways = is_processing ? [] : texts.key_takeaways;
  return {
    memory: memory({
      id,
      started_at: time,
      ended_at,
      is_processing,
      name: name.spelling,
      summary: {
        quick_summary: quick.spelling,
        key_takeaways: takeaways.map(({ spelling }) => spelling),
      },
      transcript: transcript.spelling + padding,
    }),
    texts: [name, quick, ...takeaways, transcript],
  };
}

function later(time: string, minutes: number): string {
  return new Date(Math.min(Date.parse(time) + minutes * 60_000, END_OF_TIME)).toISOString();
}
