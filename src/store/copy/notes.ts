// Notes: which accounts of a database copies have put there, so that nothing of anybody else is ever written over.

import { query, build, type Slot } from '../query.ts';
import { Refusal } from '../refusal.ts';
import type { CopyTable } from '../tables.ts';
import { ownerOf } from './digest.ts';
import type { Side, Target } from './side.ts';

const find = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('copies')
    .select(['account_id', 'run', 'left_as'])
    .where('account_id', '=', slot('account_id')),
);

const begin = query((slot: Slot<Pick<CopyTable, 'account_id' | 'run'>>) =>
  build
    .insertInto('copies')
    .values({ account_id: slot('account_id'), run: slot('run'), left_as: null })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ run: eb.ref('excluded.run'), left_as: null })),
    ),
);

const claim = query((slot: Slot<Pick<CopyTable, 'account_id' | 'run'>>) =>
  build
    .updateTable('copies')
    .set({ run: slot('run') })
    .where('account_id', '=', slot('account_id'))
    .where('run', '=', slot('run')),
);

const end = query((slot: Slot<Omit<CopyTable, 'run'>>) =>
  build
    .updateTable('copies')
    .set({ left_as: slot('left_as') })
    .where('account_id', '=', slot('account_id')),
);

/** The notes of one run of a copy. */
export type Notes = ReturnType<typeof notesOf>;

/** Makes the notes of a run in a database that has their table. */
export function notesOf(target: Target, run: string) {
  const { hold } = target.connection;
  const held = { find: hold(find), begin: hold(begin), claim: hold(claim), end: hold(end) };
  return {
    /** Tells how an account was left when it was whole: null where it is not, undefined where no copy has put it there. */
    leftAs: async (account_id: string) => (await held.find.get({ account_id }))?.left_as,
    begin: (account_id: string) => held.begin.run({ account_id, run }),
    /** Keeps an account to this run till the transaction ends. Fails with `Refusal` where another has taken it over. */
    async claim(account_id: string): Promise<void> {
      if ((await held.claim.run({ account_id, run })) === 1) return;
      throw new Refusal(`Another copy to ${target.name} has taken over; leave it to that one.`);
    },
    /** Notes that an account is whole, and how it is left. */
    async end(account_id: string): Promise<void> {
      const { sha256: left_as } = await ownerOf(target, account_id);
      await held.end.run({ account_id, left_as });
    },
  };
}

/** Fails with `Refusal` where a database has anything that no copy has put there, or that was changed since. */
export async function requireOwn(source: Side, target: Target, notes: Notes): Promise<void> {
  for await (const page of target.reads.accounts())
    for (const { id, created_at } of page) {
      const left = await notes.leftAs(id);
      if (left === undefined)
        throw new Refusal(
          `${target.name} has accounts of its own, such as ${id}; copy to a database that has none.`,
        );
      if ((await source.reads.account(id))?.created_at !== created_at)
        throw new Refusal(
          `${target.name} has account ${id} from a copy of another database; copy to a database that has none.`,
        );
      if (left !== null && left !== (await ownerOf(target, id)).sha256)
        throw new Refusal(
          `Account ${id} in ${target.name} was written since it was copied, which a copy would undo; copy to a database that has no accounts.`,
        );
    }
}
