// Digests: what a side has of an account, counted and hashed, alike for both engines.

import { createHash, hash, type Hash } from 'node:crypto';

import { damaged } from '../integrity.ts';
import { Refusal } from '../refusal.ts';
import { commandOn } from '../shell.ts';
import { factsOf } from './checked.ts';
import type { Side } from './side.ts';

/** What there is of an account, or of all of them. */
export interface Digest {
  readonly keys: number;
  readonly memories: number;
  readonly changes: number;
  /** Of all rows, and so of all bytes of memories, as each has the hash that its row says. */
  readonly sha256: string;
}

/** The hash of an account and of its keys; its revision stands in there for its memories. */
export async function ownerOf(
  { reads }: Side,
  account_id: string,
): Promise<Pick<Digest, 'keys' | 'sha256'>> {
  const [account, keys] = [await reads.account(account_id), await reads.keys(account_id)];
  const rows = [account ?? {}, ...keys].map((row) => Object.values(row));
  return { keys: keys.length, sha256: hash('sha256', JSON.stringify(rows)) };
}

/** Reads all that a side has of an account. Fails with `Refusal` where something is not as it was written. */
export async function digestOf(side: Side, account_id: string): Promise<Digest> {
  const all = createHash('sha256');
  const { keys, sha256 } = await ownerOf(side, account_id);
  all.update(sha256);
  const memories = await addMemories(all, side, account_id);
  const { changes, upserts } = await addFeed(all, side, account_id);
  // Where an index has lost memories, no list tells of it; but the feed has each of them once.
  if (memories !== upserts) throw unlike(side, account_id);
  return { keys, memories, changes, sha256: all.digest('hex') };
}

async function addMemories(all: Hash, side: Side, account_id: string): Promise<number> {
  let memories = 0;
  for await (const page of side.reads.hashed(account_id)) {
    for (const row of page) {
      const isWhole =
        row.body_sha256 === hex(row.body_hash) && row.slim_sha256 === hex(row.slim_hash);
      if (!isWhole) throw damaged(side.name, { account_id, id: row.id });
    }
    memories += page.length;
    add(all, page.map(factsOf));
  }
  return memories;
}

async function addFeed(all: Hash, { reads }: Side, account_id: string) {
  let [changes, upserts] = [0, 0];
  for await (const page of reads.changes(account_id)) {
    changes += page.length;
    upserts += page.filter(({ change }) => change === 'upsert').length;
    add(all, page.map(Object.values));
  }
  for await (const page of reads.epochs(account_id)) add(all, page.map(Object.values));
  return { changes, upserts };
}

/** Rows without a seam between pages, which need not be the same on both sides. */
function add(all: Hash, rows: readonly unknown[]): void {
  for (const row of rows) all.update(`${JSON.stringify(row)}\n`);
}

function hex(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}

function unlike({ name }: Side, account_id: string): Refusal {
  return new Refusal(
    `The memories of account ${account_id} in ${name} are not those of its feed of changes; find what is damaged with: ${commandOn(name, 'verify')}`,
    { trouble: 'damaged' },
  );
}
