// One account of a copy: closed while it is filled, and as it is in the source when all of it is there.

import { build, query, type Slot } from '../query.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKeyTable, Tables } from '../tables.ts';
import { digestOf, ownerOf, type Digest } from './digest.ts';
import { sendMemories, type Run } from './memories.ts';
import { PAGE } from './pages.ts';
import type { Account } from './queries.ts';
import type { Target } from './side.ts';

const add = query((slot: Slot<Account>) =>
  build
    .insertInto('accounts')
    .values({
      id: slot('id'),
      name: slot('name'),
      created_at: slot('created_at'),
      created_by: slot('created_by'),
      disabled_at: slot('disabled_at'),
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ disabled_at: eb.ref('excluded.disabled_at') })),
    ),
);

const finish = query((slot: Slot<Account>) =>
  build
    .updateTable('accounts')
    .set({
      name: slot('name'),
      created_by: slot('created_by'),
      disabled_at: slot('disabled_at'),
      revision: slot('revision'),
    })
    .where('id', '=', slot('id')),
);

const OWNED = ['api_keys', 'changes', 'change_epochs'] as const;

const removals = OWNED.map((table) =>
  query((slot: Slot<{ account_id: string }>) =>
    build.deleteFrom(table as 'api_keys').where('account_id', '=', slot('account_id')),
  ),
);

/** Makes an account in the target what it is in the source, and returns what it is. Fails with `Refusal`. */
export async function copyAccount(run: Run, account: Account): Promise<Digest> {
  const { source, target, notes } = run;
  const { id } = account;
  const wanted = await digestOf(source, id);
  if ((await notes.leftAs(id)) === (await ownerOf(source, id)).sha256) {
    await requireSame(run, id, wanted);
    run.to({ memories: wanted.memories, sent: 0 });
    return wanted;
  }
  const { hold, transaction } = target.connection;
  await transaction(async () => {
    await hold(add).run({ ...account, disabled_at: Date.now() });
    await notes.begin(id);
    await empty(target, id);
  });
  await sendMemories(run, id);
  await transaction(async () => {
    await notes.claim(id);
    // Locks the account first: what others write to it comes behind.
    await hold(finish).run(account);
    await empty(target, id); // of what the memories have left in the feed as they came
    await addRows(target, 'api_keys', await source.reads.keys(id));
    for await (const page of source.reads.changes(id)) await addRows(target, 'changes', page);
    for await (const page of source.reads.epochs(id)) await addRows(target, 'change_epochs', page);
    await notes.end(id);
    await requireSame(run, id, wanted);
  });
  return wanted;
}

async function empty({ connection }: Target, account_id: string): Promise<void> {
  for (const removal of removals) await connection.hold(removal).run({ account_id });
}

async function addRows<T extends (typeof OWNED)[number]>(
  { connection }: Target,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  for (let i = 0; i < rows.length; i += PAGE) {
    const some = rows.slice(i, i + PAGE) as unknown as ApiKeyTable[];
    const insert = query((_: Slot<object>) => build.insertInto(table as 'api_keys').values(some));
    await connection.hold(insert).run({});
  }
}

async function requireSame({ source, target }: Run, id: string, wanted: Digest): Promise<void> {
  const { sha256 } = await digestOf(target, id);
  if (sha256 === wanted.sha256) return;
  throw new Refusal(
    `Account ${id} in ${target.name} is not what it is in ${source.name}; let nobody else write there and copy again, or copy to a new database.`,
    { trouble: 'damaged' },
  );
}
