// Imports into PostgreSQL: each batch is one transaction of a few statements.

import { fromJson, type Json } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { accountWrites } from '../accounts/accounts.ts';
import * as bin from '../bin/bin-sql.ts';
import { binStartOfImport } from '../bin/bin-time.ts';
import { eraseExpired } from '../bin/bin.ts';
import { readUncorrected } from '../details/uncorrected.ts';
import type { Import, ImportOptions } from '../engine.ts';
import { importLog } from '../import/import-log.ts';
import { importMarks, undoneImport } from '../import/marks.ts';
import type { StoredMemory } from '../import/memory-row.ts';
import { reconcile, type KnownMemories } from '../import/reconcile.ts';
import {
  checkImported,
  fillGaps,
  mayClash,
  resolveConflict,
  type CheckedImport,
  type ImportHistory,
} from '../import/rules.ts';
import { madeFrom, renamedTo, uncorrected } from '../sql/corrections.ts';
import { readSql } from '../sql/migrations.ts';
import type { Connection } from '../sql/query.ts';
import { query, type Slot } from '../sql/query.ts';
import { selectRows } from '../sql/row-queries.ts';
import { binnedQuery, importedHashes, joinIds, memoryKey, rememberImported } from './batches.ts';
import { memoryWrites } from './memories.ts';
import { requireSchema } from './migrations.ts';
import type { Client } from './servers/connection.ts';
import { connect } from './servers/connection.ts';
import { postgresQuery as build } from './statements.ts';
import { connectionTo, writerOn } from './writer.ts';

/** The lock timeout, the same as on SQLite. */
const LOCK_MS = 10_000;

/** Queries the memory of an id if its hash differs from the new one. */
const old = query((slot: Slot<Pick<StoredMemory, 'account_id' | 'id' | 'body_sha256'>>) =>
  build
    .selectFrom('memories')
    .select('body')
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id'))
    .where('body_sha256', '!=', slot('body_sha256')),
);

const stored = selectRows('memories', { columns: ['body'], by: ['account_id', 'id'] });

/** Opens a database for an import, and always closes it. Rejects with `Refusal`. */
export async function withPostgresImport<T>(
  address: string,
  how: ImportOptions,
  work: (into: Import) => Promise<T>,
): Promise<T> {
  // No statement timeout: an atomic import waits inside its transaction for more input.
  const connections = await connect(address, { connections: 2, statementMs: 0, lockMs: LOCK_MS });
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => {
      await client.query(readSql('postgres', 'temporary/imported.sql'));
      if (!how.isDry) await eraseExpired(writerOn(client));
      if (how.isAtomic) await client.query('BEGIN'); // rolled back when the connection closes without a commit
      return work(importOn(client, how));
    });
  } finally {
    await connections.close();
  }
}

function importOn(client: Client, { isDry, isAtomic, agent }: ImportOptions): Import {
  const connection = connectionTo(client);
  const transaction: Connection['transaction'] = isAtomic
    ? (work) => work()
    : connection.transaction;
  const accounts = accountWrites(connection);
  const memories = memoryWrites(client, { ...connection, transaction });
  const held = {
    imported: connection.prepare(importedHashes),
    remember: connection.prepare(rememberImported),
    old: connection.prepare(old),
    stored: connection.prepare(stored),
    uncorrected: connection.prepare(uncorrected),
    inBin: connection.prepare(bin.find),
    binned: connection.prepare(binnedQuery),
    madeFrom: connection.prepare(madeFrom),
    renamedTo: connection.prepare(renamedTo),
  };
  const findInBin = async (account_id: string, memory_id: string): Promise<Memory | undefined> => {
    const since = binStartOfImport(isDry);
    const found = await held.inBin.get({ account_id, memory_id, since });
    return found && asImported(account_id, memory_id, found.body as Json<Memory>);
  };
  const marks = importMarks(connection);
  const log = importLog(connection, isDry ? undefined : agent);
  const knownMemories: KnownMemories = {
    isOfThisImport: async (account_id, id) =>
      (await held.imported.all({ account_ids: account_id, ids: id })).length > 0,
    stored: async (account_id, id) => {
      const found = await held.stored.get({ account_id, id });
      return found ? asImported(account_id, id, found.body) : findInBin(account_id, id);
    },
    madeFrom: (account_id, original_sha256) => held.madeFrom.all({ account_id, original_sha256 }),
    renamedTo: (account_id, renamed_to) => held.renamedTo.all({ account_id, renamed_to }),
  };

  /** Finds a memory as it was imported, to compare it with one that arrives, which has no corrections. `body` is the memory as stored. */
  async function asImported(
    account_id: string,
    memory_id: string,
    body: Json<Memory>,
  ): Promise<Memory> {
    const row = await held.uncorrected.get({ account_id, memory_id });
    return (row && readUncorrected(row)?.memory) ?? fromJson(body);
  }

  return {
    accounts: async () => (await accounts.list()).map(({ id }) => id),
    isUndone: () => marks.isUndone(),
    reconcile: async (arrivals) => reconcile(arrivals, knownMemories),
    put: async (arrivals) => {
      const { results, positions } = await transaction(async () => {
        const all = arrivals.map(checkImported);
        // Before it looks into the bin: what is deleted now would come back otherwise.
        if (!isDry) await memories.lockAccounts(all);
        const { known, noted } = await look(all);
        const kept = all.map((each) => resolveConflict(each, known));
        await held.remember.run({ ...joinIds(noted), hashes: noted.map(hashOf).join(' ') });
        const fresh = all.filter((_, i) => kept[i] === undefined);
        const written = await (isDry ? memories.compare(fresh) : memories.putReady(fresh));
        const after = await marks.next(arrivals.map(({ account_id }) => account_id));
        const filled = fillGaps(kept, written);
        await log(arrivals, filled);
        return { results: filled, positions: after };
      });
      if (!isDry) marks.keep(positions);
      return results;
    },
    async commit() {
      if (isAtomic) await client.query('COMMIT');
      if (await marks.isUndone()) throw undoneImport();
    },
  };

  /** Looks up what is known about a batch. New notes are stored after the batch. */
  async function look(all: readonly CheckedImport[]) {
    const noted: CheckedImport[] = [];
    const before = await held.imported.all(joinIds(all));
    const hashes = new Map(
      before.map((each) => [`${each.account_id} ${each.id}`, each.body_sha256]),
    );
    const since = binStartOfImport(isDry);
    const inBin = await held.binned.all({ ...joinIds(all), since });
    const binned = new Set(inBin.map((each) => `${each.account_id} ${each.id}`));
    const others = await othersOf(all.filter(mayClash), binned);
    const known: ImportHistory = {
      firstHash: (each) => hashes.get(memoryKey(each)),
      isInBin: (each) => binned.has(memoryKey(each)),
      storedMemory: (each) => others.get(each),
      remember(each) {
        noted.push(each);
        hashes.set(memoryKey(each), hashOf(each));
      },
    };
    return { known, noted };
  }

  /** Reads stored memories whose id may belong to another recording. Most are the same and are not read. */
  async function othersOf(
    all: readonly CheckedImport[],
    binned: ReadonlySet<string>,
  ): Promise<ReadonlyMap<CheckedImport, Memory>> {
    const others = new Map<CheckedImport, Memory>();
    for (const each of all) {
      const { account_id, id, body_sha256 } = each.row;
      const found = await held.old.get({ account_id, id, body_sha256 });
      const other = found && (await asImported(account_id, id, found.body));
      const known = other ?? (binned.has(memoryKey(each)) && (await findInBin(account_id, id)));
      if (known) others.set(each, known);
    }
    return others;
  }
}

function hashOf({ row }: CheckedImport): string {
  return row.body_sha256;
}
