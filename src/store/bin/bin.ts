// The bin: moves memories there in the way of a deletion, and brings them back.

import * as v from 'valibot';

import { fromJson, type Json } from '../../contract/json.ts';
import { Details } from '../../contract/schemas/details.ts';
import type { Awaitable } from '../../lib/async.ts';
import { missingMemories } from '../accounts/accounts.ts';
import { addEvent } from '../app/log.ts';
import { memoryOf } from '../check/memories.ts';
import { damagedMemory, matchesHash } from '../check/on-read.ts';
import { partsOf, type Owner } from '../details/details-row.ts';
import { importedStates } from '../details/imported-state.ts';
import { readUncorrected } from '../details/uncorrected.ts';
import { prepareMemory, toMemoryRow, type PreparedMemory } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import { sourceMemoryWrites } from '../sources/source-memories.ts';
import {
  insert as insertCorrection,
  lockAccount,
  ofMemory,
  uncorrected,
} from '../sql/corrections.ts';
import type { Connection } from '../sql/query.ts';
import { detailRows, type DetailTables } from '../sql/tables/detail-tables.ts';
import * as sql from './bin-sql.ts';
import { binStart } from './bin-time.ts';

/** Memories of an account, and who deletes or restores them: a browser, or "command line". */
export interface BinChange {
  readonly account_id: string;
  readonly ids: readonly string[];
  readonly agent: string;
}

/** Which memories of the bin to erase: some or all of one account, or all that have been there for longer than 30 days. */
export type Emptied =
  | (Omit<BinChange, 'ids'> & { readonly ids?: readonly string[] | undefined })
  | 'expired';

/** What the bin needs of an engine. */
interface BinParts {
  readonly connection: Connection;
  readonly memories: {
    putStored(all: readonly PreparedMemory[]): Awaitable<unknown>;
    putReady(all: readonly PreparedMemory[]): Awaitable<unknown>;
    delete(account_id: string, id: string): Awaitable<boolean>;
  };
  /** Keeps other writers of an account out until the end of the transaction. Throws `Refusal` if there is no such account. */
  readonly lock: (account_id: string) => Awaitable<unknown>;
}

/** The writes of the bin. All reject with `Refusal`, and then nothing has changed. */
export interface BinWrites {
  /** Deletes memories, all or none, and keeps them in the bin. */
  put(change: BinChange): Promise<void>;
  /** Brings memories back with their bytes, details and corrections, all or none. Edits of all memories hold for them as well. */
  restore(change: BinChange): Promise<void>;
  /** Erases memories of the bin, in the transaction of the caller. Returns how many. */
  remove(emptied: Emptied): Promise<number>;
}

/** Creates the writes of the bin on a connection. */
export function binWrites({ connection, memories, lock }: BinParts): BinWrites {
  const { prepare, transaction, now } = connection;
  const held = {
    corrections: prepare(sql.corrections),
    put: prepare(sql.put),
    find: prepare(sql.find),
    isThere: prepare(sql.isThere),
    putDetails: prepare(sql.putRow.details),
    putFacet: prepare(sql.putRow.facets),
    putItem: prepare(sql.putRow.action_items),
    putCorrection: prepare(insertCorrection),
    allCorrections: prepare(ofMemory),
    uncorrected: prepare(uncorrected),
    drop: prepare(sql.drop),
    ofAccount: prepare(sql.ofAccount),
    expired: prepare(sql.expired),
    lockAccount: prepare(lockAccount),
  };
  const sources = sourceMemoryWrites(connection);
  const importedOf = importedStates({ prepare });

  return {
    put: async ({ account_id, ids, agent }) =>
      transaction(async () => {
        await lock(account_id);
        const all = new Set(ids);
        const missing: string[] = [];
        for (const memory_id of all) {
          const of = { account_id, memory_id };
          const corrections = JSON.stringify(await held.corrections.all(of));
          await held.drop.run(of); // an older one that has expired
          if ((await held.put.run({ ...of, corrections, deleted_at: now() })) === 1)
            await memories.delete(account_id, memory_id);
          else missing.push(memory_id);
        }
        if (missing.length > 0) throw missingMemories(account_id, missing);
        await log('memories-deleted', { account_id, agent }, all.size);
      }),

    restore: async ({ account_id, ids, agent }) =>
      transaction(async () => {
        await lock(account_id);
        const all = new Set(ids);
        for (const memory_id of all) {
          const of = { account_id, memory_id };
          const found = await held.find.get({ ...of, since: binStart(now()) });
          if (found === undefined)
            throw new Refusal(
              `There is no memory ${memory_id} in the bin of account ${account_id}; nothing was restored.`,
            );
          if ((await held.isThere.get(of)) !== undefined)
            throw new Refusal(
              `Account ${account_id} has another memory ${memory_id} by now; delete that one first. Nothing was restored.`,
            );
          await bringBack(found);
          await held.drop.run(of);
          await putRight(of);
        }
        await log('memories-restored', { account_id, agent }, all.size);
      }),

    async remove(emptied) {
      const gone = emptied === 'expired' ? await expired() : await inBin(emptied);
      for (const of of gone) {
        await held.drop.run(of);
        await sources.disown(of.account_id, [of.memory_id]);
      }
      if (emptied !== 'expired' && gone.length > 0) await log('bin-emptied', emptied, gone.length);
      return gone.length;
    },
  };

  /** Locks the accounts that have expired memories, and returns those memories. */
  async function expired() {
    const of = { until: binStart(now()) };
    const accounts = new Set((await held.expired.all(of)).map(({ account_id }) => account_id));
    // In order, so that two who empty the bins cannot deadlock. An account may have been deleted by now.
    for (const id of [...accounts].toSorted()) await held.lockAccount.run({ id });
    return held.expired.all(of);
  }

  /** Locks an account and returns its memories to erase. Throws `Refusal` if one that is named is not in its bin. */
  async function inBin({ account_id, ids }: Exclude<Emptied, 'expired'>) {
    await lock(account_id);
    const all = await held.ofAccount.all({ account_id });
    if (ids === undefined) return all;
    const named = new Set(ids);
    const found = all.filter(({ memory_id }) => named.delete(memory_id));
    const [missing] = named;
    if (missing === undefined) return found;
    throw new Refusal(
      `There is no memory ${missing} in the bin of account ${account_id}; nothing was erased.`,
    );
  }

  /** Writes a memory of the bin where it was. Throws `Refusal` if its bytes have changed meanwhile. */
  async function bringBack(found: DetailTables['deleted_memories']): Promise<void> {
    const prepared = prepareDeleted(found);
    if (prepared === undefined)
      throw damagedMemory('the bin', { account_id: found.account_id, id: found.memory_id });
    await memories.putStored([prepared]);
    await writeDetails(found, prepared.row);
    const corrections: unknown = JSON.parse(found.corrections);
    for (const row of v.parse(v.array(detailRows.corrections), corrections))
      await held.putCorrection.run(row);
  }

  /** Makes a memory again that edits of all memories concern, or have concerned: some may have come or gone meanwhile. */
  async function putRight({ account_id, memory_id }: sql.OfMemory): Promise<void> {
    const all = await held.allCorrections.all({ account_id, memory_id });
    const kept = await held.uncorrected.get({ account_id, memory_id });
    if (kept === undefined && all.every((each) => each.memory_id !== null)) return;
    // Then it is as it was. What was imported is damaged, and "verify" says so.
    if (kept !== undefined && readUncorrected(kept) === undefined) return;
    const { memory, details } = await importedOf(account_id, memory_id);
    await memories.putReady([prepareMemory(account_id, memory, details)]);
  }

  async function writeDetails(
    { account_id, memory_id, details, details_sha256, ...row }: DetailTables['deleted_memories'],
    owner: Owner,
  ): Promise<void> {
    if (details === null || row.read_sha256 === null || details_sha256 === null) return;
    if (!matchesHash(details, details_sha256))
      throw damagedMemory('the bin', { account_id, id: memory_id });
    const { read_sha256, original_sha256, reading, renamed_to } = row;
    await held.putDetails.run({
      account_id,
      memory_id,
      read_sha256,
      original_sha256,
      reading,
      renamed_to,
      body_sha256: details_sha256,
      body: details,
    });
    const { facets, action_items } = partsOf(
      v.parse(Details, fromJson(details as Json<Details>)),
      owner,
    );
    for (const facet of facets) await held.putFacet.run(facet);
    for (const item of action_items) await held.putItem.run(item);
  }

  function log(kind: DeletionEvent, of: Omit<BinChange, 'ids'>, count: number): Awaitable<void> {
    // Not the names: what is erased leaves no word behind.
    return addEvent(connection, {
      account_id: of.account_id,
      kind,
      subject: String(count),
      agent: of.agent,
    });
  }
}

type DeletionEvent = 'memories-deleted' | 'memories-restored' | 'bin-emptied';

/**
 * Erases the memories that have been in a bin for too long, before others are imported. What belonged to one of them,
 * such as links and stars, would otherwise belong to a memory that is imported with its id.
 */
export async function eraseExpired({
  connection,
  emptyBin,
}: {
  readonly connection: Connection;
  readonly emptyBin: (emptied: 'expired') => Promise<unknown>;
}): Promise<void> {
  const until = binStart(connection.now());
  if (await connection.prepare(sql.expired).get({ until })) await emptyBin('expired');
}

/** Returns a deleted memory as it is written again, or undefined if its bytes are damaged. */
export function prepareDeleted({
  account_id,
  memory_id,
  body_sha256,
  body,
}: Pick<DetailTables['deleted_memories'], 'account_id' | 'memory_id' | 'body_sha256' | 'body'>):
  | PreparedMemory
  | undefined {
  const memory = memoryOf({ body: body as PreparedMemory['row']['body'] });
  if (memory?.id !== memory_id || memory.user_id !== account_id) return undefined;
  const row = toMemoryRow(account_id, memory);
  return row.body_sha256 === body_sha256 ? { row, memory } : undefined;
}
