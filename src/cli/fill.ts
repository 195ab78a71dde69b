// Fills a database with accounts, keys of every state, and memories; used by seed and demo.

import type { Awaitable } from '../contract/awaitable.ts';
import { isPostgres, showDatabase } from '../store/address.ts';
import type { ApiKeyState } from '../store/apikey.ts';
import type { NewMemory } from '../store/ready.ts';
import { Refusal } from '../store/refusal.ts';
import { isMissing } from '../store/sqlite/file.ts';
import { createDatabase, type FileWriter } from '../store/sqlite/writer.ts';
import { withWriter, type Writer } from '../store/writer.ts';
import type { SeedAccount } from './fixtures.ts';

/** An account as it was seeded; the keys are in clear here and nowhere else. */
export interface Seeded {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly state: ApiKeyState }[];
  readonly memories: number;
}

const BATCH = 1000;

/**
 * Opens a database for seeding, made with its accounts if there is none: a seed that is killed
 * leaves a database that is still its own. Fails with `Refusal` when it is somebody else's.
 */
export async function withSeeded<T>(
  database: string,
  accounts: readonly SeedAccount[],
  work: (writer: Writer) => Awaitable<T>,
): Promise<T> {
  const isServer = isPostgres(database);
  if (isServer) await createSchema(database);
  else if (isMissing(database)) createDatabase(database, (writer) => addFirst(writer, accounts));
  return withWriter(database, async (writer) => {
    const there = await writer.accounts.list();
    const isEmptyFile = there.length === 0 && !isServer; // a database on a server is made by others
    if (isEmptyFile || there.some(({ created_by }) => created_by !== 'seed')) {
      throw new Refusal(
        `${showDatabase(database)} was not made by the seed, so it is left as it is; name another ${isServer ? 'database' : 'file'}.`,
      );
    }
    await addAccounts(writer, accounts);
    return work(writer);
  });
}

/** Makes our schema in a database that has none of it; one of another version is left as it is. */
async function createSchema(address: string): Promise<void> {
  const { migratePostgres } = await import('../store/postgres/migrate.ts');
  await migratePostgres(address, { onlyNew: true });
}

/** Adds or updates the memories of accounts; `progress` hears how many were written. */
export async function fill(
  writer: Writer,
  accounts: readonly SeedAccount[],
  progress: (written: number) => void = () => {},
): Promise<void> {
  for (const { id, memories } of accounts) {
    const batch: NewMemory[] = [];
    const flush = async () => {
      await writer.memories.putAll(id, batch);
      progress(batch.length);
      batch.length = 0;
    };
    for (const memory of memories) if (batch.push(memory) === BATCH) await flush();
    await flush();
  }
}

/** Issues keys of every state: for a closed account one that is disabled, for others the rest. */
export function issueKeys(
  writer: Writer,
  accounts: readonly SeedAccount[],
): Awaitable<readonly Seeded[]> {
  return writer.transaction(async () => {
    const seeded: Seeded[] = [];
    for (const { id, name, isClosed = false } of accounts) {
      await writer.accounts.setDisabled(id, isClosed);
      const memories = await writer.memories.count(id);
      const keys = await (isClosed ? closedKeys(writer, id) : openKeys(writer, id));
      seeded.push({ id, name, keys, memories });
    }
    return seeded;
  });
}

async function openKeys({ keys }: Writer, account_id: string): Promise<Seeded['keys']> {
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

async function closedKeys({ keys }: Writer, account_id: string): Promise<Seeded['keys']> {
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

/** Adds the first accounts of a file that is being made, which has to be whole when this returns. */
function addFirst({ accounts }: FileWriter, first: readonly SeedAccount[]): void {
  for (const { id, name } of first) accounts.create({ id, name, created_by: 'seed' });
}
