// Fills a database with accounts, keys of every state, and memories; used by seed and demo.

import { existsSync } from 'node:fs';

import type { ApiKeyState } from '../src/store/apikey.ts';
import { Refusal } from '../src/store/refusal.ts';
import { migrate, openWriter, type Writer } from '../src/store/writer.ts';
import type { SeedAccount } from './fixtures.ts';

/** An account as it was seeded; the keys are in clear here and nowhere else. */
export interface Seeded {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly state: ApiKeyState }[];
  readonly memories: number;
}

const BATCH = 1000;

/** Opens a database for seeding, made if there is none. Fails with `Refusal` when it is not the seed's own. */
export function openSeeded(path: string): Writer {
  const isNew = !existsSync(path);
  if (isNew) migrate(path);
  const writer = openWriter(path);
  const accounts = writer.accounts.list();
  if (
    isNew ||
    (accounts.length > 0 && accounts.every((account) => account.created_by === 'seed'))
  ) {
    return writer;
  }
  writer.close();
  throw new Refusal(`${path} was not made by the seed, so it is left as it is; name another file.`);
}

/** Adds or updates accounts and memories, and issues keys anew; `progress` hears of every memory written. */
export function fill(
  writer: Writer,
  accounts: readonly SeedAccount[],
  progress: (n: number) => void,
): Seeded[] {
  const known = new Set(writer.accounts.list().map(({ id }) => id));
  // All accounts first and at once: a seed that is killed leaves a database that is still its own.
  writer.transaction(() => {
    for (const { id, name } of accounts) {
      if (!known.has(id)) writer.accounts.create({ id, name, created_by: 'seed' });
    }
  });
  return accounts.map(({ id, name, memories }) => {
    const batch: Parameters<Writer['memories']['put']>[1][] = [];
    const flush = () => {
      writer.transaction(() => batch.forEach((memory) => writer.memories.put(id, memory)));
      progress(batch.length);
      batch.length = 0;
    };
    for (const memory of memories) if (batch.push(memory) === BATCH) flush();
    flush();
    return { id, name, keys: issueKeys(writer, id), memories: writer.memories.count(id) };
  });
}

/** Closes an account to its keys, and says so of each. */
export function disable(writer: Writer, account: Seeded): Seeded {
  writer.accounts.setDisabled(account.id, true);
  return {
    ...account,
    keys: account.keys.slice(0, 1).map(({ key }) => ({ key, state: 'disabled' })),
  };
}

function issueKeys(writer: Writer, account_id: string): Seeded['keys'] {
  return writer.transaction(() => {
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
  });
}
