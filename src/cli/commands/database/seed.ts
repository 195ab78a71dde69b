// Fills a database with sample accounts, keys of every state and memories, for seed and demo.

import * as v from 'valibot';

import { Memory } from '../../../contract/schemas/memory.ts';
import { readOwn } from '../../../files.ts';
import type { Awaitable } from '../../../lib/async.ts';
import type { ApiKeyState } from '../../../store/accounts/api-key.ts';
import { showDatabase } from '../../../store/address.ts';
import type { SyncWriter, Writer } from '../../../store/engine.ts';
import { engineOf } from '../../../store/engines.ts';
import type { NewMemory } from '../../../store/import/memory-row.ts';
import { Refusal } from '../../../store/refusal.ts';

const Accounts = v.array(v.object({ id: v.string(), name: v.string() }));

/** An account to create, with its memories. */
export interface SeedAccount {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly isDisabled?: boolean;
  /** Creates each memory only when it is read. */
  readonly memories: Iterable<NewMemory>;
}

/** Reads the accounts in fixtures/ with their memories. */
export function readFixtures(): SeedAccount[] {
  return v.parse(Accounts, readJson('accounts.json')).map(({ id, name }) => {
    const memories = v.parse(v.array(Memory), readJson(`memories/${id}.json`));
    return { id, name, count: memories.length, memories };
  });
}

function readJson(name: string): unknown {
  return JSON.parse(readOwn(`fixtures/${name}`).toString());
}

/** A seeded account, with its keys in clear. They are stored as hashes only. */
export interface SeededAccount {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly state: ApiKeyState }[];
  readonly memories: number;
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
  for (const { id, memories } of accounts) {
    const batch: NewMemory[] = [];
    const flush = async () => {
      await writer.memories.putAll(id, batch);
      onProgress(batch.length);
      batch.length = 0;
    };
    for (const memory of memories) if (batch.push(memory) === BATCH_SIZE) await flush();
    await flush();
  }
}

/** Issues a disabled key for a disabled account, and an active, a revoked and an expired key for others. */
export function issueSeedKeys(
  writer: Writer,
  accounts: readonly SeedAccount[],
): Awaitable<readonly SeededAccount[]> {
  return writer.transaction(async () => {
    const seeded: SeededAccount[] = [];
    for (const { id, name, isDisabled = false } of accounts) {
      await writer.accounts.setDisabled(id, isDisabled);
      const memories = await writer.memories.count(id);
      const keys = await (isDisabled
        ? disabledAccountKeys(writer, id)
        : activeAccountKeys(writer, id));
      seeded.push({ id, name, keys, memories });
    }
    return seeded;
  });
}

async function activeAccountKeys(
  { keys }: Writer,
  account_id: string,
): Promise<SeededAccount['keys']> {
  const active = await keys.create({ account_id, label: 'seed', expires_at: null });
  const revoked = await keys.create({ account_id, label: 'seed, revoked', expires_at: null });
  await keys.revoke(revoked.id);
  const ended = { account_id, label: 'seed, expired', expires_at: Date.now() };
  const expired = await keys.create(ended);
  return [
    { key: active.key, state: 'active' },
    { key: revoked.key, state: 'revoked' },
    { key: expired.key, state: 'expired' },
  ];
}

async function disabledAccountKeys(
  { keys }: Writer,
  account_id: string,
): Promise<SeededAccount['keys']> {
  const { key } = await keys.create({ account_id, label: 'seed, disabled', expires_at: null });
  return [{ key, state: 'disabled' }];
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
