// Copies a database into another, between any engines. Resumable; reports only what it verified on both sides.

import { createHash, randomUUID } from 'node:crypto';

import { CompiledQuery, type Selectable } from 'kysely';

import { showDatabase } from '../address.ts';
import { memoryOf } from '../check/memories.ts';
import { damagedMemory } from '../check/on-read.ts';
import type { Writer } from '../engine.ts';
import { engineOf } from '../engines.ts';
import { toMemoryRow, type PreparedMemory } from '../import/memory-row.ts';
import type { Stage } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { readSql } from '../sql/migrations.ts';
import { build } from '../sql/query.ts';
import type { AccountTable, CopyTable } from '../sql/tables.ts';
import { claim, leftAs, undone } from './journal.ts';
import {
  change,
  digestOf,
  FACT_COLUMNS,
  factsOf,
  find,
  ownerDigest,
  PAGE_ROWS,
  replaceRows,
  type Contents,
  type CopySide,
} from './tables.ts';

/** The most bytes of memories per transaction, and one memory more. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** After all ids, which are printable ASCII, so that both engines sort them alike. */
const LAST_ID = '\u007F';

/** The result of a copy: what both sides now have, how many memories had to be sent, and the time of the snapshot. */
export interface CopyResult extends Contents {
  readonly accounts: number;
  readonly sent: number;
  readonly at: number;
}

interface Run {
  readonly source: CopySide;
  readonly target: CopySide & Pick<Writer, 'memories'>;
  /** Names this run in the journal. */
  readonly run: string;
  /** Is called with the number of memories done, and how many of them had to be sent. */
  readonly onProgress: (memories: number, sent: number) => void;
}

/**
 * Copies accounts, keys, memories and the feed of one snapshot, and compares both sides. Creates the
 * target if there is none, and resumes a copy that was killed. Never changes the source. Rejects with
 * `Refusal`.
 */
export async function copyDatabase(options: {
  readonly from: string;
  readonly to: string;
  readonly stage: Stage;
}): Promise<CopyResult> {
  const { from, to, stage } = options;
  const [one, other] = [engineOf(from), engineOf(to)];
  if (from === to || one.owns(to))
    throw new Refusal(`${to} is the source of this copy. Name another database as the target.`);
  return one.withSnapshot(async ({ connection, accounts: counted }) => {
    const at = Date.now();
    const source = { name: showDatabase(from), connection, engine: one };
    if (one.name === 'PostgreSQL') await find(source, seeAll);
    await other.createIfMissing();
    return other.withWriter(async (writer) => {
      const target = { ...writer, name: showDatabase(to), engine: other };
      const journal = readSql(other.name === 'SQLite' ? 'sqlite' : 'postgres', 'copy/copies.sql');
      await change(target, { compile: () => CompiledQuery.raw(journal) });
      const accounts = await requireOnlyCopies(source, target);
      const total = counted.reduce((sum, { memories }) => sum + memories, 0);
      return stage({ total, unit: 'memories' }, async (show) => {
        const sum = { keys: 0, memories: 0, changes: 0 };
        const [all, owners] = [createHash('sha256'), new Map<string, string>()];
        let [done, sent] = [0, 0];
        const onProgress = (memories: number, more: number): void => {
          show((done += memories));
          sent += more;
        };
        const run = { source, target, run: randomUUID(), onProgress };
        for (const account of accounts) {
          const { owner, sha256, ...counts } = await copyAccount(run, account);
          all.update(sha256);
          owners.set(account.id, owner);
          for (const what of ['keys', 'memories', 'changes'] as const) sum[what] += counts[what];
        }
        for (const [id, owner] of owners)
          if ((await leftAs(target, id))?.owner !== owner) throw undone(target);
        return { accounts: accounts.length, ...sum, sent, sha256: all.digest('hex'), at };
      });
    });
  });
}

/** As pg_dump does: PostgreSQL then refuses a user who would see only some of the rows. */
const seeAll = build.selectNoFrom((eb) =>
  eb.fn('set_config', [eb.val('row_security'), eb.val('off'), eb.lit(true)]).as('row_security'),
);

/** Resolves with the accounts of the source. Rejects with `Refusal` if the target has some that no copy of it created, or that changed since. */
async function requireOnlyCopies(source: CopySide, target: Run['target']) {
  const all = build.selectFrom('accounts').selectAll().orderBy('id');
  const accounts = await find(source, all);
  const created = new Map(accounts.map(({ id, created_at }) => [id, created_at]));
  for (const { id, created_at } of await find(target, all)) {
    const left = await leftAs(target, id);
    if (left === undefined) throw notEmpty(`${target.name} already has accounts, such as ${id}.`);
    if (created.get(id) !== created_at)
      throw notEmpty(`${target.name} has account ${id} from a copy of another database.`);
    if (left !== null && left.owner !== (await ownerDigest(target, id)).sha256)
      throw changedSince(target, id);
  }
  return accounts;
}

/** Makes the target's account equal to the source's. It stays disabled until everything has arrived. Rejects with `Refusal`. */
async function copyAccount(run: Run, account: Selectable<AccountTable>) {
  const { source, target } = run;
  const { id: account_id } = account;
  const expected = await digestOf(source, account_id);
  const left = await leftAs(target, account_id);
  if (left?.owner === expected.owner) {
    const { sha256 } = await digestOf(target, account_id);
    if (sha256 === expected.sha256) {
      run.onProgress(expected.memories, 0);
      return expected;
    }
    if (sha256 !== left.all) throw changedSince(target, account_id);
  }
  const put = async (row: Selectable<AccountTable>, left_as: string | null): Promise<void> => {
    const entry: CopyTable = { account_id, run: run.run, left_as };
    // The account row is locked first, so concurrent writers wait.
    const accounts = build.insertInto('accounts').values(row);
    await change(
      target,
      accounts.onConflict((on) => on.column('id').doUpdateSet(row)),
    );
    const copies = build.insertInto('copies').values(entry);
    await change(
      target,
      copies.onConflict((on) => on.column('account_id').doUpdateSet(entry)),
    );
  };
  await target.connection.transaction(async () => {
    await put({ ...account, disabled_at: Date.now() }, null);
    await replaceRows(target, account_id);
  });
  await sendMemories(run, account_id);
  await target.connection.transaction(async () => {
    await claim(run, account_id);
    await put(account, `${expected.owner} ${expected.sha256}`);
    await replaceRows(target, account_id, source); // the inserted memories have added changes to the feed
    if ((await digestOf(target, account_id)).sha256 === expected.sha256) return;
    throw new Refusal(
      `Account ${account_id} in ${target.name} differs from the one in ${source.name}. Stop other writers and copy again, or copy to a new database.`,
      { code: 'damaged' },
    );
  });
  return expected;
}

/** Sends the memories that differ, and deletes those that the source has no longer. Rejects with `Refusal` if a source memory is damaged. */
async function sendMemories(run: Run, account_id: string): Promise<void> {
  const { source, target } = run;
  const write = (work: () => Promise<unknown>) =>
    target.connection.transaction(async () => {
      await claim(run, account_id);
      await work();
    });
  for (let [after, last] = ['', '']; last !== LAST_ID; after = last) {
    const hashes = build
      .selectFrom('memories')
      .select(['id', 'body_sha256'])
      .where('account_id', '=', account_id)
      .where('id', '>', after)
      .orderBy('id');
    const page = await find(source, hashes.limit(PAGE_ROWS));
    last = (page.length === PAGE_ROWS ? page.at(-1)?.id : undefined) ?? LAST_ID;
    const there = await find(target, hashes.where('id', '<=', last));
    const known = new Map(there.map(({ id, body_sha256 }) => [id, body_sha256]));
    const changed = page.filter(({ id, body_sha256 }) => known.get(id) !== body_sha256);
    for await (const batch of batches(source, account_id, changed))
      await write(async () => target.memories.putReady(batch));
    for (const { id } of page) known.delete(id);
    if (known.size > 0)
      await write(async () => {
        for (const id of known.keys()) await target.memories.delete(account_id, id);
      });
    run.onProgress(page.length, changed.length);
  }
}

/** Reads memories in batches. Throws `Refusal` if body and columns of one do not belong together. */
async function* batches(
  source: CopySide,
  account_id: string,
  ids: readonly { readonly id: string }[],
): AsyncGenerator<readonly PreparedMemory[]> {
  const columns = build.selectFrom('memories').select([...FACT_COLUMNS, 'body']);
  const own = columns.where('account_id', '=', account_id);
  let [batch, bytes]: [PreparedMemory[], number] = [[], 0];
  for (const { id } of ids) {
    const [found] = await find(source, own.where('id', '=', id));
    const parsed = found && memoryOf(found);
    const row = parsed && toMemoryRow(account_id, parsed);
    const isSame = parsed?.user_id === account_id && row && factsOf({ ...row }) === factsOf(found);
    if (!isSame) throw damagedMemory(source.name, { account_id, id });
    batch.push({ row, memory: parsed });
    bytes += row.body.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function changedSince({ name }: CopySide, account_id: string): Refusal {
  return notEmpty(
    `Account ${account_id} in ${name} has changed since it was copied, and another copy would undo that.`,
  );
}

function notEmpty(why: string): Refusal {
  return new Refusal(`${why} Copy to a database without accounts.`);
}
