// Digests of an account: counts and one hash, equal on both engines if the data is equal.

import { createHash, hash } from 'node:crypto';

import type { Selectable } from 'kysely';

import { commandOn } from '../address.ts';
import { damagedMemory } from '../check/on-read.ts';
import { MEMORY_COLUMNS, type MemoryRow } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import { scopeOf } from '../scope.ts';
import { build } from '../sql/query.ts';
import type { AccountTable, ApiKeyTable, Tables } from '../sql/tables.ts';
import { find, PAGE_ROWS, pages, rowsOf, type CopySide, type OwnedTable } from './tables.ts';

/** The contents of one account, or of all of them. */
export interface AccountDigest {
  readonly keys: number;
  readonly memories: number;
  readonly changes: number;
  /** Covers all rows. It covers the bytes of memories through the hashes in their rows, which are verified. */
  readonly sha256: string;
}

/** A row of `accounts`. */
export type CopiedAccount = Selectable<AccountTable>;

/** The columns of a memory's row without its bytes. */
export type MemoryFacts = Omit<MemoryRow, 'slim' | 'body'>;

/** Their names. */
export const FACT_COLUMNS = MEMORY_COLUMNS.filter(
  (column): column is keyof MemoryFacts => column !== 'slim' && column !== 'body',
);

/** Returns the facts of a row in a form that is equal on both engines. PostgreSQL stores U+0000 as U+2400. */
export function comparableFacts(row: MemoryFacts): (string | number)[] {
  return FACT_COLUMNS.map((fact) => {
    const value = row[fact];
    return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value;
  });
}

/** Reads accounts, or one of them, in the order of their ids. */
export function accountsOf(side: CopySide, id?: string): Promise<CopiedAccount[]> {
  const all = build.selectFrom('accounts').selectAll().orderBy('id');
  return find(side, id === undefined ? all : all.where('id', '=', id));
}

/** Yields facts of memories page by page, with hashes that the database computes from the bytes. */
function factsOf(side: CopySide, account_id: string) {
  const read = ({ id }: { readonly id: string }) =>
    find(
      side,
      build
        .selectFrom('memories')
        .select(FACT_COLUMNS)
        .select((eb) => [
          eb.fn<Uint8Array | null>('sha256', ['body']).as('body_hash'),
          eb.fn<Uint8Array | null>('sha256', ['slim']).as('slim_hash'),
        ])
        .where('account_id', '=', account_id)
        .where('id', '>', id)
        .orderBy('id')
        .limit(PAGE_ROWS),
    );
  return pages(read, { id: '' });
}

/**
 * Hashes an account, its keys, its ways to sign in and its sources. The account's revision represents its memories, and the
 * `run` of a source, which changes with each step, its other tables.
 */
export async function ownerDigest(
  side: CopySide,
  id: string,
): Promise<Pick<AccountDigest, 'keys' | 'sha256'>> {
  const all = async <T extends OwnedTable>(table: T): Promise<Selectable<Tables[T]>[]> => {
    const rows: Selectable<Tables[T]>[] = [];
    for await (const page of rowsOf(side, table, id)) rows.push(...page);
    return rows;
  };
  const keys = await all('api_keys');
  const passkeys = await all('passkeys');
  const rows = [
    ...(await accountsOf(side, id)),
    ...keys.map(comparableKey),
    ...passkeys.map(({ last_used_at: _, sign_count: __, ...passkey }) => passkey),
    ...(await all('passwords')),
    ...(await all('sources')),
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
  // Row by row, because pages may end at different rows on the two sides.
  const add = (row: unknown) => all.update(`${JSON.stringify(row)}\n`);
  const { keys, sha256 } = await ownerDigest(side, account_id);
  all.update(sha256);
  let [memories, changes, upserts] = [0, 0, 0];
  for await (const page of factsOf(side, account_id))
    for (const row of page) {
      const isIntact =
        row.body_sha256 === hex(row.body_hash) && row.slim_sha256 === hex(row.slim_hash);
      if (!isIntact) throw damagedMemory(side.name, { account_id, id: row.id });
      add(comparableFacts(row));
      memories++;
    }
  for await (const page of rowsOf(side, 'changes', account_id))
    for (const row of page) {
      add(Object.values(row));
      changes++;
      if (row.change === 'upsert') upserts++;
    }
  for (const table of ['change_epochs', 'source_memories', 'watched_files'] as const)
    for await (const page of rowsOf(side, table, account_id))
      for (const row of page) add(Object.values(row));
  // A damaged index can hide memories from every list, but the feed has each of them once.
  if (memories !== upserts) throw inconsistent(side, account_id);
  return { keys, memories, changes, sha256: all.digest('hex') };
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
