// Fills a database with accounts, keys of every state, and memories; used by seed and demo.

import type { ApiKeyState } from '../store/apikey.ts';
import { isMissing } from '../store/file.ts';
import type { NewMemory } from '../store/memories.ts';
import { Refusal } from '../store/refusal.ts';
import { createDatabase, withWriter, type Writer } from '../store/writer.ts';
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
export function withSeeded<T>(
  path: string,
  accounts: readonly SeedAccount[],
  work: (writer: Writer) => T,
): T {
  if (isMissing(path)) createDatabase(path, (writer) => addAccounts(writer, accounts));
  return withWriter(path, (writer) => {
    const there = writer.accounts.list();
    if (there.length === 0 || there.some(({ created_by }) => created_by !== 'seed')) {
      throw new Refusal(
        `${path} was not made by the seed, so it is left as it is; name another file.`,
      );
    }
    addAccounts(writer, accounts);
    return work(writer);
  });
}

/** Adds or updates the memories of accounts; `progress` hears how many were written. */
export function fill(
  writer: Writer,
  accounts: readonly SeedAccount[],
  progress: (written: number) => void = () => {},
): void {
  for (const { id, memories } of accounts) {
    const batch: NewMemory[] = [];
    const flush = () => {
      writer.memories.putAll(id, batch);
      progress(batch.length);
      batch.length = 0;
    };
    for (const memory of memories) if (batch.push(memory) === BATCH) flush();
    flush();
  }
}

/** Issues keys of every state: for a closed account one that is disabled, for others the rest. */
export function issueKeys(writer: Writer, accounts: readonly SeedAccount[]): Seeded[] {
  return writer.transaction(() =>
    accounts.map(({ id, name, isClosed = false }) => {
      writer.accounts.setDisabled(id, isClosed);
      const memories = writer.memories.count(id);
      return { id, name, keys: isClosed ? closedKeys(writer, id) : openKeys(writer, id), memories };
    }),
  );
}

function openKeys(writer: Writer, account_id: string): Seeded['keys'] {
  const active = writer.keys.create({ account_id, label: 'seed', expires_at: null });
  const revoked = writer.keys.create({ account_id, label: 'seed, revoked', expires_at: null });
  writer.keys.revoke(revoked.id);
  const expired = writer.keys.create({
    account_id,
    label: 'seed, expired',
    expires_at: Date.now(),
  });
  return [
    { key: active.key, state: 'active' },
    { key: revoked.key, state: 'revoked' },
    { key: expired.key, state: 'expired' },
  ];
}

function closedKeys(writer: Writer, account_id: string): Seeded['keys'] {
  const { key } = writer.keys.create({ account_id, label: 'seed, disabled', expires_at: null });
  return [{ key, state: 'disabled' }];
}

function addAccounts(writer: Writer, accounts: readonly SeedAccount[]): void {
  writer.transaction(() => {
    const known = new Set(writer.accounts.list().map(({ id }) => id));
    for (const { id, name } of accounts) {
      if (!known.has(id)) writer.accounts.create({ id, name, created_by: 'seed' });
    }
  });
}
