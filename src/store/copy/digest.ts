// Digests of an account: counts and one hash, equal on both engines if the data is equal.

import { createHash, hash, type Hash } from 'node:crypto';

import { commandOn } from '../address.ts';
import { damagedMemory } from '../check/on-read.ts';
import { Refusal } from '../refusal.ts';
import { scopeOf } from '../scope.ts';
import type { ApiKeyTable } from '../sql/tables.ts';
import { comparableFacts } from './queries.ts';
import type { CopySide } from './side.ts';

/** The contents of one account, or of all of them. */
export interface AccountDigest {
  readonly keys: number;
  readonly memories: number;
  readonly changes: number;
  /** Covers all rows. It covers the bytes of memories through the hashes in their rows, which are verified. */
  readonly sha256: string;
}

/**
 * Hashes an account, its keys, its ways to sign in and its sources. The account's revision represents its memories, and the
 * `run` of a source, which changes with each step, its other tables.
 */
export async function ownerDigest(
  { reads }: CopySide,
  account_id: string,
): Promise<Pick<AccountDigest, 'keys' | 'sha256'>> {
  const [account, keys] = [await reads.account(account_id), await reads.keys(account_id)];
  const sources = await reads.sources(account_id);
  const [passkeys, passwords] = [
    await reads.passkeys(account_id),
    await reads.passwords(account_id),
  ];
  const rows = [
    account ?? {},
    ...keys.map(comparableKey),
    ...passkeys.map(({ last_used_at: _, sign_count: __, ...passkey }) => passkey),
    ...passwords,
    ...sources,
  ].map((row) => Object.values(row));
  return { keys: keys.length, sha256: hash('sha256', JSON.stringify(rows)) };
}

/** Returns the key without its last use, which moves every minute. Without a scope it counts as it did in schemas without scopes. */
function comparableKey({ last_used_at: _, ...key }: ApiKeyTable): object {
  const { reads, started_after, started_before, ...rest } = key;
  return { ...rest, ...scopeOf({ reads, started_after, started_before }) };
}

/** Reads and hashes a whole account on one side. Rejects with `Refusal` if a memory is damaged. */
export async function accountDigest(side: CopySide, account_id: string): Promise<AccountDigest> {
  const all = createHash('sha256');
  const { keys, sha256 } = await ownerDigest(side, account_id);
  all.update(sha256);
  const memories = await addMemories(all, side, account_id);
  const { changes, upserts } = await addFeed(all, side, account_id);
  await addSources(all, side, account_id);
  // A damaged index can hide memories from every list, but the feed has each of them once.
  if (memories !== upserts) throw inconsistent(side, account_id);
  return { keys, memories, changes, sha256: all.digest('hex') };
}

async function addMemories(all: Hash, side: CopySide, account_id: string): Promise<number> {
  let memories = 0;
  for await (const page of side.reads.hashed(account_id)) {
    for (const row of page) {
      const isIntact =
        row.body_sha256 === hex(row.body_hash) && row.slim_sha256 === hex(row.slim_hash);
      if (!isIntact) throw damagedMemory(side.name, { account_id, id: row.id });
    }
    memories += page.length;
    add(all, page.map(comparableFacts));
  }
  return memories;
}

async function addFeed(all: Hash, { reads }: CopySide, account_id: string) {
  let [changes, upserts] = [0, 0];
  for await (const page of reads.changes(account_id)) {
    changes += page.length;
    upserts += page.filter(({ change }) => change === 'upsert').length;
    add(all, page.map(Object.values));
  }
  for await (const page of reads.epochs(account_id)) add(all, page.map(Object.values));
  return { changes, upserts };
}

async function addSources(all: Hash, { reads }: CopySide, account_id: string): Promise<void> {
  for (const { name } of await reads.sources(account_id)) {
    for await (const page of reads.sourceMemories(account_id, name))
      add(all, page.map(Object.values));
    for await (const page of reads.watchedFiles(account_id, name))
      add(all, page.map(Object.values));
  }
}

/** Hashes rows one by one, because pages may end at different rows on the two sides. */
function add(all: Hash, rows: readonly unknown[]): void {
  for (const row of rows) all.update(`${JSON.stringify(row)}\n`);
}

function hex(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}

function inconsistent({ name }: CopySide, account_id: string): Refusal {
  return new Refusal(
    `The memories of account ${account_id} in ${name} do not match its change feed; find the damage with: ${commandOn(name, 'verify')}`,
    { code: 'damaged' },
  );
}
