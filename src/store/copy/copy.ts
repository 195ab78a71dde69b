// Copies a database into another, between any engines. Resumable; reports only what it verified on both sides.

import { createHash, randomUUID } from 'node:crypto';

import type { Awaitable } from '../../lib/async.ts';
import { showDatabase } from '../address.ts';
import type { Engine } from '../engine.ts';
import { engineOf } from '../engines.ts';
import type { Stage } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { build, type Connection } from '../sql/query.ts';
import {
  accountDigest,
  accountsOf,
  ownerDigest,
  type AccountDigest,
  type CopiedAccount,
} from './digest.ts';
import { openJournal } from './journal.ts';
import { sendMemories, type CopyRun } from './memories.ts';
import { change, find, replaceRows, type CopySide, type CopyTarget } from './tables.ts';

/** The result of a copy: what both sides now hold, and how many memories had to be sent. */
export interface CopyResult extends AccountDigest {
  readonly accounts: number;
  readonly sent: number;
}

/** The two databases of a copy. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly stage: Stage;
}

/**
 * Copies accounts, keys, memories and the feed of one snapshot, and compares both sides. Creates the
 * target if there is none, and resumes a copy that was killed. Never changes the source. Rejects with
 * `Refusal`.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyResult & { at: number }> {
  const { from, to, stage } = options;
  const [source, target] = [engineOf(from), engineOf(to)];
  if (from === to || source.owns(to))
    throw new Refusal(`${to} is the source of this copy. Name another database as the target.`);
  return source.copyFrom((reads, at) =>
    target.copyInto(async (writes) => {
      const one = { name: showDatabase(from), connection: explained(reads, source) };
      const connection = explained(writes.connection, target);
      const other = { ...writes, name: showDatabase(to), connection };
      return { ...(await copyAll(one, other, stage)), at };
    }),
  );
}

/** Copies the source's current state. Rejects with `Refusal`; the next run continues from there. */
async function copyAll(source: CopySide, target: CopyTarget, stage: Stage): Promise<CopyResult> {
  const journal = openJournal(target, randomUUID());
  const accounts = await accountsOf(source);
  await target.connection.transaction(async () => {
    await target.createJournalTable();
    await journal.requireOnlyCopies(await accountsOf(target), accounts);
  });
  const counted = build.selectFrom('memories').select((eb) => eb.fn.countAll<number>().as('n'));
  const total = (await find(source, counted))[0]?.n ?? 0;
  return stage({ total, unit: 'memories' }, async (show) => {
    const all = createHash('sha256');
    const sum = { keys: 0, memories: 0, changes: 0 };
    let [done, sent] = [0, 0];
    const onProgress: CopyRun['onProgress'] = (more) => {
      show((done += more.memories));
      sent += more.sent;
    };
    for (const account of accounts) {
      const copied = await copyAccount({ source, target, journal, onProgress }, account);
      all.update(copied.sha256);
      for (const what of ['keys', 'memories', 'changes'] as const) sum[what] += copied[what];
    }
    await target.connection.transaction(() => journal.requireFinished(source, accounts));
    return { accounts: accounts.length, ...sum, sent, sha256: all.digest('hex') };
  });
}

/**
 * Makes the target's account equal to the source's. It stays disabled until everything has arrived. Returns its
 * digest. Rejects with `Refusal`.
 */
async function copyAccount(run: CopyRun, account: CopiedAccount): Promise<AccountDigest> {
  const { source, target, journal, onProgress } = run;
  const { id } = account;
  const { transaction } = target.connection;
  const expected = await accountDigest(source, id);
  if ((await journal.finishedDigest(id)) === (await ownerDigest(source, id)).sha256) {
    await requireSame(run, id, expected);
    onProgress({ memories: expected.memories, sent: 0 });
    return expected;
  }
  await transaction(async () => {
    await putAccount(target, { ...account, disabled_at: Date.now() });
    await journal.begin(id);
    await replaceRows(target, id);
  });
  await sendMemories(run, id);
  await transaction(async () => {
    await journal.claim(id);
    // Locks the account row first, so concurrent writers wait.
    await putAccount(target, account);
    await replaceRows(target, id, source); // the inserted memories have added changes to the feed
    await journal.end(id);
    await requireSame(run, id, expected);
  });
  return expected;
}

function putAccount(target: CopyTarget, account: CopiedAccount): Promise<number> {
  const insert = build.insertInto('accounts').values(account);
  return change(
    target,
    insert.onConflict((conflict) => conflict.column('id').doUpdateSet(account)),
  );
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

/** Wraps a connection so that each error names its own database. */
function explained(
  { prepare, transaction, now }: Connection,
  engine: Pick<Engine, 'explain'>,
): Connection {
  const attempt = async <T>(work: () => Awaitable<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw await engine.explain(error);
    }
  };
  return {
    now,
    prepare(wanted) {
      const statement = prepare(wanted);
      return {
        get: (values) => attempt(() => statement.get(values)),
        all: (values) => attempt(() => statement.all(values)),
        run: (values) => attempt(() => statement.run(values)),
      };
    },
    transaction: (work) => attempt(() => transaction(work)),
  };
}
