// Copies one account. The target's account stays disabled until everything has arrived.

import type { Insertable } from 'kysely';

import { Refusal } from '../refusal.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { ApiKeyTable, Tables } from '../sql/tables.ts';
import { accountDigest, ownerDigest, type AccountDigest } from './digest.ts';
import { sendMemories, type CopyRun } from './memories.ts';
import { PAGE_ROWS, type CopiedAccount } from './queries.ts';
import type { CopyTarget } from './side.ts';

const add = query((slot: Slot<CopiedAccount>) =>
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

const finish = query((slot: Slot<CopiedAccount>) =>
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

/** Tables that reference others come first, because they are emptied in this order. Sessions and grants are not copied: everybody signs in again, and clients ask again. */
const OWNED = [
  'api_keys',
  'changes',
  'change_epochs',
  'watched_files',
  'source_memories',
  'sources',
  'passkeys',
  'passwords',
  'account_events',
] as const;

const removals = OWNED.map((table) =>
  query((slot: Slot<{ account_id: string }>) =>
    build.deleteFrom(table as 'api_keys').where('account_id', '=', slot('account_id')),
  ),
);

/** Makes the target's account equal to the source's. Returns its digest. Rejects with `Refusal`. */
export async function copyAccount(run: CopyRun, account: CopiedAccount): Promise<AccountDigest> {
  const { source, target, journal } = run;
  const { id } = account;
  const expected = await accountDigest(source, id);
  if ((await journal.finishedDigest(id)) === (await ownerDigest(source, id)).sha256) {
    await requireSame(run, id, expected);
    run.onProgress({ memories: expected.memories, sent: 0 });
    return expected;
  }
  const { prepare, transaction } = target.connection;
  await transaction(async () => {
    await prepare(add).run({ ...account, disabled_at: Date.now() });
    await journal.begin(id);
    await empty(target, id);
  });
  await sendMemories(run, id);
  await transaction(async () => {
    await journal.claim(id);
    // Locks the account row first, so concurrent writers wait.
    await prepare(finish).run(account);
    await empty(target, id); // the inserted memories have added changes to the feed
    await addRows(target, 'api_keys', await source.reads.keys(id));
    await addRows(target, 'passkeys', await source.reads.passkeys(id));
    await addRows(target, 'passwords', await source.reads.passwords(id));
    await addRows(target, 'account_events', await source.reads.events(id));
    for await (const page of source.reads.changes(id)) await addRows(target, 'changes', page);
    for await (const page of source.reads.epochs(id)) await addRows(target, 'change_epochs', page);
    await addSources(run, id);
    await journal.end(id);
    await requireSame(run, id, expected);
  });
  return expected;
}

async function addSources({ source: from, target }: CopyRun, id: string): Promise<void> {
  const sources = await from.reads.sources(id);
  await addRows(target, 'sources', sources);
  for (const { name } of sources) {
    for await (const page of from.reads.sourceMemories(id, name))
      await addRows(target, 'source_memories', page);
    for await (const page of from.reads.watchedFiles(id, name))
      await addRows(target, 'watched_files', page);
  }
}

async function empty({ connection }: CopyTarget, account_id: string): Promise<void> {
  for (const removal of removals) await connection.prepare(removal).run({ account_id });
}

async function addRows<T extends (typeof OWNED)[number]>(
  { connection }: CopyTarget,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += PAGE_ROWS) {
    const some = rows.slice(i, i + PAGE_ROWS) as unknown as ApiKeyTable[];
    const insert = query((_: Slot<object>) => build.insertInto(table as 'api_keys').values(some));
    await connection.prepare(insert).run({});
  }
}

async function requireSame(
  { source, target }: CopyRun,
  id: string,
  expected: AccountDigest,
): Promise<void> {
  const { sha256 } = await accountDigest(target, id);
  if (sha256 === expected.sha256) return;
  throw new Refusal(
    `Account ${id} in ${target.name} differs from the one in ${source.name}. Stop other writers and copy again, or copy to a new database.`,
    { code: 'damaged' },
  );
}
