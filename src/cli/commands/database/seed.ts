// Fills a database with sample accounts, keys of every state and memories, for seed and demo.

import * as v from 'valibot';

import { ReadDetails } from '../../../contract/schemas/details.ts';
import { Memory } from '../../../contract/schemas/memory.ts';
import { readOwn } from '../../../files.ts';
import { toReadDetails } from '../../../formats/details.ts';
import { asTranscript } from '../../../formats/turns/turns.ts';
import type { Awaitable } from '../../../lib/async.ts';
import { showDatabase } from '../../../store/address.ts';
import type { GivenDetails } from '../../../store/details/details-row.ts';
import type { SyncWriter, Writer } from '../../../store/engine.ts';
import { engineOf } from '../../../store/engines.ts';
import {
  prepareMemory,
  type NewMemory,
  type PreparedMemory,
} from '../../../store/import/memory-row.ts';
import { Refusal } from '../../../store/refusal.ts';

const Accounts = v.array(v.object({ id: v.string(), name: v.string() }));

/** An account to create, with its memories. */
export interface SeedAccount {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly isDisabled?: boolean;
  /** Returns what a source would know of a memory besides its fields. Default: nothing is known. */
  readonly detailsOf?: (memory: NewMemory) => GivenDetails;
  /** Creates each memory only when it is read. */
  readonly memories: Iterable<NewMemory>;
}

/** What the sources of the sample memories know, by the ids of the memories. Their speakers are counted. */
const { tags, chapters, action_items } = ReadDetails.entries;
const Known = v.record(
  v.string(),
  v.object({
    tags: v.optional(tags, []),
    chapters: v.optional(chapters, []),
    action_items: v.optional(action_items, []),
  }),
);

/** Reads the accounts in fixtures/ with their memories. */
export function readFixtures(): SeedAccount[] {
  const known = v.parse(Known, readJson('details.json'));
  const detailsOf = ({ id, transcript }: NewMemory): GivenDetails => ({
    read: {
      ...toReadDetails(
        {},
        { format: 'memory', id: undefined, transcript: asTranscript(transcript) },
      ),
      ...known[id],
    },
  });
  return v.parse(Accounts, readJson('accounts.json')).map(({ id, name }) => {
    const memories = v.parse(v.array(Memory), readJson(`memories/${id}.json`));
    return { id, name, count: memories.length, memories, detailsOf };
  });
}

function readJson(name: string): unknown {
  return JSON.parse(readOwn(`fixtures/${name}`).toString());
}

const BATCH_SIZE = 1000;

/**
 * Opens a database for seeding, and creates it with its accounts if there is none. So a seed that is
 * killed leaves a database that the next one recognises. Rejects with `Refusal` if the database was
 * not made by a seed.
 */
export async function withSeedDatabase<T>(
  database: string,
  accounts: readonly SeedAccount[],
  work: (writer: Writer) => Awaitable<T>,
): Promise<T> {
  const engine = engineOf(database);
  const isServer = engine.file === undefined;
  await engine.createIfMissing((writer) => addFirst(writer, accounts));
  return engine.withWriter(async (writer) => {
    const there = await writer.accounts.list();
    const isEmptyFile = there.length === 0 && !isServer; // an empty PostgreSQL database is normal
    if (isEmptyFile || there.some(({ created_by }) => created_by !== 'seed')) {
      throw new Refusal(
        `${showDatabase(database)} was not made by the seed, so it was not changed; name another ${isServer ? 'database' : 'file'}.`,
      );
    }
    await addAccounts(writer, accounts);
    return work(writer);
  });
}

/** Adds or updates the memories of accounts. Calls `onProgress` with the size of each batch. */
export async function writeMemories(
  writer: Writer,
  accounts: readonly SeedAccount[],
  onProgress: (written: number) => void = () => {},
): Promise<void> {
  for (const { id, memories, detailsOf } of accounts) {
    const batch: PreparedMemory[] = [];
    const flush = async () => {
      await writer.memories.putReady(batch);
      onProgress(batch.length);
      batch.length = 0;
    };
    for (const memory of memories)
      if (batch.push(prepareMemory(id, memory, detailsOf?.(memory))) === BATCH_SIZE) await flush();
    await flush();
  }
}

function addAccounts(writer: Writer, accounts: readonly SeedAccount[]): Awaitable<void> {
  return writer.transaction(async () => {
    const known = new Set((await writer.accounts.list()).map(({ id }) => id));
    for (const { id, name } of accounts) {
      if (!known.has(id)) await writer.accounts.create({ id, name, created_by: 'seed' });
    }
  });
}

/** Adds the first accounts to a new file. Synchronous, because the file is complete when this returns. */
function addFirst({ accounts }: SyncWriter, first: readonly SeedAccount[]): void {
  for (const { id, name } of first) accounts.create({ id, name, created_by: 'seed' });
}
