// Copies a database into another, between any engines. Resumable; reports only what it verified on both sides.

import { createHash, randomUUID } from 'node:crypto';

import { CompiledQuery, type Compilable, type Selectable } from 'kysely';

import { showDatabase } from '../address.ts';
import { memoryOf } from '../check/memories.ts';
import { damagedMemory } from '../check/on-read.ts';
import type { Writer } from '../engine.ts';
import { engineOf } from '../engines.ts';
import { MEMORY_COLUMNS, toMemoryRow, type StoredMemory } from '../import/memory-row.ts';
import type { Stage } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { readSql } from '../sql/migrations.ts';
import { build } from '../sql/query.ts';
import { updateRows, upsertRow } from '../sql/row-queries.ts';
import type { AccountTable } from '../sql/tables/tables.ts';
import { change, digestOf, find, lineOf, PAGE_ROWS, replaceRows, type CopySide } from './tables.ts';

/** The most bytes of memories per transaction, and one memory more. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** After all ids, which are printable ASCII, so that both engines sort them alike. */
const LAST_ID = '\u007F';

const putAccount = upsertRow('accounts', ['id']);
const renewRun = updateRows('copies', { set: ['run'], by: ['account_id', 'run'] });

type Account = Selectable<AccountTable>;

interface Run {
  readonly source: CopySide;
  readonly target: CopySide & Pick<Writer, 'memories'>;
  /** Names this run in the journal. */
  readonly run: string;
  /** Is called with numbers of memories that are done. */
  readonly onProgress: (memories: number) => void;
}

/**
 * Copies accounts, keys, memories and the feed of one snapshot, and compares both sides. Creates the
 * target if there is none, and resumes a copy that was killed. Never changes the source. Resolves with
 * what both sides now have, how many memories had to be sent, and the time of the snapshot. Rejects
 * with `Refusal`.
 */
export async function copyDatabase(options: {
  readonly from: string;
  readonly to: string;
  readonly stage: Stage;
}) {
  const { from, to, stage } = options;
  const [one, other] = [engineOf(from), engineOf(to)];
  if (from === to || one.owns(to))
    throw new Refusal(`${to} is the source of this copy. Name another database as the target.`);
  return one.withSnapshot(async ({ connection }) => {
    const at = Date.now();
    const source = { name: showDatabase(from), connection, engine: one };
    // As pg_dump does: PostgreSQL then refuses a user who would see only some of the rows.
    if (one.name === 'PostgreSQL') await change(source, raw('SET LOCAL row_security = off'));
    await other.createIfMissing();
    return other.withWriter(async (writer) => {
      const target = { ...writer, name: showDatabase(to), engine: other };
      const journal = readSql(other.name === 'SQLite' ? 'sqlite' : 'postgres', 'copy/copies.sql');
      await change(target, raw(journal));
      const [{ total } = { total: 0 }] = await find(source, countAll);
      return stage({ total, unit: 'memories' }, async (show) => {
        let done = 0;
        const onProgress = (memories: number): void => show((done += memories));
        return { at, ...(await copyAll({ source, target, run: randomUUID(), onProgress })) };
      });
    });
  });
}

const countAll = build.selectFrom('memories').select((eb) => eb.fn.countAll<number>().as('total'));

function raw(sql: string): Compilable {
  return { compile: () => CompiledQuery.raw(sql) };
}

async function copyAll(run: Run) {
  const { source, target } = run;
  const accounts = build.selectFrom('accounts').selectAll().orderBy('id');
  const all = await find(source, accounts);
  const created = new Map(all.map(({ id, created_at }) => [id, created_at]));
  const journal = await readJournal(target);
  for (const { id, created_at } of await find(target, accounts)) {
    if (!journal.has(id)) throw notEmpty(`${target.name} already has accounts, such as ${id}.`);
    if (created.get(id) !== created_at)
      throw notEmpty(`${target.name} has account ${id} from a copy of another database.`);
  }
  const sum = { keys: 0, memories: 0, changes: 0, sent: 0 };
  const [digest, owners] = [createHash('sha256'), new Map<string, string>()];
  for (const account of all) {
    const copied = await copyAccount(run, account, journal.get(account.id));
    for (const what of ['keys', 'memories', 'changes', 'sent'] as const) sum[what] += copied[what];
    digest.update(copied.sha256);
    owners.set(account.id, copied.owner);
  }
  const left = await readJournal(target);
  for (const [id, owner] of owners) if (!left.get(id)?.startsWith(owner)) throw undone(target);
  return { accounts: all.length, ...sum, sha256: digest.digest('hex') };
}

/** Makes the target's account equal to the source's. It stays disabled until everything has arrived. `left` is its entry in the journal. */
async function copyAccount(run: Run, account: Account, left?: string | null) {
  const { source, target } = run;
  const { id } = account;
  const expected = await digestOf(source, id);
  if (typeof left === 'string') {
    const { owner, sha256 } = await digestOf(target, id);
    if (sha256 === expected.sha256) {
      run.onProgress(expected.memories);
      return { ...expected, sent: 0 };
    }
    if (owner === expected.owner ? !left.endsWith(sha256) : !left.startsWith(owner))
      throw notEmpty(
        `Account ${id} in ${target.name} has changed since it was copied, and another copy would undo that.`,
      );
  }
  await target.connection.transaction(async () =>
    leave(run, { ...account, disabled_at: Date.now() }, null),
  );
  const sent = await sendMemories(run, id);
  await write(run, id, async () => {
    await leave(run, account, `${expected.owner} ${expected.sha256}`);
    await replaceRows(source, target, id); // the inserted memories have added changes to the feed
    if ((await digestOf(target, id)).sha256 === expected.sha256) return;
    throw new Refusal(
      `Account ${id} in ${target.name} differs from the one in ${source.name}. Stop other writers and copy again, or copy to a new database.`,
      { code: 'damaged' },
    );
  });
  return { ...expected, sent };
}

/** Sends the memories that differ, and deletes those that the source has no longer. Resolves with the number of sent ones. */
async function sendMemories(run: Run, account_id: string): Promise<number> {
  const { source, target } = run;
  const own = build.selectFrom('memories').where('account_id', '=', account_id);
  const hashes = own.select(['id', 'body_sha256']).orderBy('id');
  const sizes = hashes.select(({ fn }) => fn<number>('length', ['body']).as('bytes'));
  let sent = 0;
  for (let [after, last] = ['', '']; last !== LAST_ID; after = last) {
    const page = await find(source, sizes.where('id', '>', after).limit(PAGE_ROWS));
    last = (page.length === PAGE_ROWS ? page.at(-1)?.id : undefined) ?? LAST_ID;
    const range = hashes.where('id', '>', after).where('id', '<=', last);
    const known = new Map((await find(target, range)).map((row) => [row.id, row.body_sha256]));
    const changed = page.filter(({ id, body_sha256 }) => known.get(id) !== body_sha256);
    let bytes = 0;
    const batches = Map.groupBy(changed, (row) => Math.floor((bytes += row.bytes) / BATCH_BYTES));
    for (const batch of batches.values()) {
      const ids = batch.map(({ id }) => id);
      const rows = await find(source, own.where('id', 'in', ids).select(MEMORY_COLUMNS));
      const sending = rows.map((row) => prepareAgain(source, account_id, row));
      await write(run, account_id, async () => target.memories.putStored(sending));
    }
    for (const { id } of page) known.delete(id);
    if (known.size > 0)
      await write(run, account_id, async () => {
        for (const id of known.keys()) await target.memories.delete(account_id, id);
      });
    sent += changed.length;
    run.onProgress(page.length);
  }
  return sent;
}

/** Makes the row of a memory again. Throws `Refusal` if its body and its columns do not belong together. */
function prepareAgain({ name }: CopySide, account_id: string, found: StoredMemory) {
  const memory = memoryOf(found);
  const row = memory && toMemoryRow(account_id, memory);
  const isIntact = memory?.user_id === account_id && row && lineOf(row) === lineOf(found);
  if (!isIntact) throw damagedMemory(name, { account_id, id: found.id });
  return { row, memory };
}

/** Reads the journal: how copies left the accounts that they have put there. An account that is not complete has null. */
async function readJournal(target: CopySide): Promise<ReadonlyMap<string, string | null>> {
  const entries = await find(target, build.selectFrom('copies').selectAll());
  return new Map(entries.map(({ account_id, left_as }) => [account_id, left_as]));
}

/** Writes the row of an account, and in the journal how this run leaves it. */
async function leave({ target, run }: Run, account: Account, left_as: string | null) {
  // The account row is locked first, so concurrent writers wait.
  await target.connection.prepare(putAccount).run(account);
  const entry = { run, left_as };
  const copies = build.insertInto('copies').values({ account_id: account.id, ...entry });
  await change(
    target,
    copies.onConflict((on) => on.column('account_id').doUpdateSet(entry)),
  );
}

/** Writes to an account in a transaction. Rejects with `Refusal` if this run has it no longer. */
async function write({ target, run }: Run, account_id: string, work: () => Promise<unknown>) {
  await target.connection.transaction(async () => {
    if ((await target.connection.prepare(renewRun).run({ run, account_id })) === 1) return work();
    if (!(await readJournal(target)).has(account_id)) throw undone(target);
    throw new Refusal(
      `Another copy to ${target.name} has taken over this account. Let that copy finish.`,
    );
  });
}

function undone({ name }: CopySide): Refusal {
  return new Refusal(`A restore of ${name} has undone a part of this copy; copy again.`);
}

function notEmpty(why: string): Refusal {
  return new Refusal(`${why} Copy to a database without accounts.`);
}
