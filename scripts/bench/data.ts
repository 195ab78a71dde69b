// The files that are measured on: made once, kept beside this, whole or not at all.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Refusal } from '../../src/store/refusal.ts';
import { openStore } from '../../src/store/sqlite.ts';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrate.ts';
import { createDatabase, withWriter } from '../../src/store/sqlite/writer.ts';
import { generate } from '../generate.ts';
import { multiply } from './multiply.ts';
import { addPlain } from './plain.ts';

/** A file of so many memories, and what is asked of it. */
export interface Data {
  readonly path: string;
  readonly memories: number;
  /** The account that is asked for; the others are there to make the file large. */
  readonly account: string;
  readonly key: string;
  /** Ids of memories of the account, spread over all its time. */
  readonly ids: (count: number) => readonly string[];
}

/** How many memories a file has, account by account. */
export type Amounts = readonly number[];

/** Where the files are kept. */
export const FOLDER = fileURLToPath(new URL('data/', import.meta.url));

/** What goes through the writer, index of words and all; the rest of an account is copied from it. */
const WRITTEN = 1000;
const SIZE = 4000;

/** What a memory takes in a file, and once more in the list that is piped. */
const BYTES_EACH = 8000;
const GIGA = 1e9;

/** Where files go, and who hears how many memories of how many are there. */
interface Place {
  readonly folder: string;
  readonly progress?: (made: number, of: number) => void;
}

/** Makes what is missing of the files, and a new key for each. Fails with `Refusal` when there is no room. */
export function prepareData(
  files: readonly Amounts[],
  { folder, progress = () => {} }: Place,
): Data[] {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (isStale(name)) rmSync(join(folder, name));
  const pathOf = (amounts: Amounts) => join(folder, `${PREFIX}${total(amounts)}.db`);
  const missing = files.filter((amounts) => !existsSync(pathOf(amounts)));
  const of = missing.flat().reduce((sum, count) => sum + count, 0);
  requireRoom(folder, of * BYTES_EACH);
  let before = 0;
  for (const amounts of missing) {
    makeFile(pathOf(amounts), amounts, (made) => progress(before + made, of));
    before += total(amounts);
  }
  return files.map((amounts) => openData(pathOf(amounts), amounts));
}

/** Makes a file under another name, and gives it its own when it is whole. */
function makeFile(path: string, amounts: Amounts, progress: (made: number) => void): void {
  const draft = `${path}.new`;
  const accounts = accountsOf(amounts);
  createDatabase(draft, (writer) => {
    for (const { id, name } of accounts) writer.accounts.create({ id, name, created_by: 'seed' });
    for (const { id, memories } of accounts) writer.memories.putAll(id, [...memories]);
  });
  addPlain(draft, accounts[0]?.id ?? '');
  multiply(
    draft,
    accounts.map(({ id }, i) => ({ id, count: amounts[i] ?? 0 })),
    progress,
  );
  renameSync(draft, path);
}

/** The accounts of a file, the same every time. */
function accountsOf(amounts: Amounts) {
  const made = { accounts: amounts.length, memories: WRITTEN, size: SIZE, random: 1 };
  return generate(made);
}

function openData(path: string, amounts: Amounts): Data {
  const account = accountsOf(amounts)[0]?.id ?? '';
  const expires_at = Date.now() + 86_400_000;
  const key = withWriter(path, ({ keys }) =>
    keys.create({ account_id: account, label: 'bench', expires_at }),
  );
  const ids = (count: number): string[] => {
    const store = openStore(path);
    const { items } = store.positions({ account_id: account, order: 'desc', bytes: 'slim' });
    store.close();
    // A prime, larger than any page: the step comes by all of them, and by no neighbours.
    const step = 7919;
    return Array.from({ length: count }, (_, i) => items[(i * step) % items.length]?.id ?? '');
  };
  return { path, memories: total(amounts), account, key: key.key, ids };
}

function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > bytes) return;
  const [needed, free] = [bytes / GIGA, (bavail * bsize) / GIGA].map((gb) => gb.toFixed(1));
  throw new Refusal(
    `The files of the benchmark take ${needed} GB, and ${free} GB are free; make room, or take --quick.`,
  );
}

/** Left by a run that was killed, or of a schema that is past. */
function isStale(name: string): boolean {
  return name.includes('.new') || !name.startsWith(PREFIX);
}

const PREFIX = `schema${SCHEMA_VERSION}-`;

function total(amounts: Amounts): number {
  return amounts.reduce((sum, count) => sum + count, 0);
}
