// The database files to measure with: created once and reused, complete or not at all.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Database from 'better-sqlite3';

import {
  withSeedDatabase,
  writeMemories,
  type SeedAccount,
} from '../../src/cli/commands/database/seed.ts';
import { withoutProgress, type Stage } from '../../src/store/progress.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrations.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { generate } from '../generate.ts';
import { addPlain } from './plain.ts';

/** A file with a number of memories, and the values for its requests. */
export interface Data {
  readonly path: string;
  readonly memories: number;
  readonly accounts: number;
  /** The account in the requests. The others make the file large. */
  readonly account: string;
  readonly key: string;
  /** Ids of memories of the account, spread over its whole time. */
  readonly ids: (count: number) => readonly string[];
}

/** The number of memories in each account of a file. */
export type Amounts = readonly number[];

/** The folder of the files. */
export const FOLDER = fileURLToPath(new URL('data/', import.meta.url));

const SIZE = 4000;

/** All memories of an account are within this time, whatever their number: a larger file has more in each month. */
const SPAN_MS = 125 * 86_400_000;

/** Larger files have no table for peers, because none of them reads there. */
const MOST_FOR_PEERS = 10_000;

/** The bytes of a memory in a file, including its copy in the list that is piped. */
const BYTES_EACH = 8000;
const GIGA = 1e9;

/** The folder for files, and what shows progress. */
interface Place {
  readonly folder: string;
  readonly stage?: Stage;
}

/**
 * Creates the missing files, and a new key for each. Rejects with `Refusal` if the disk has no
 * room.
 */
export async function prepareData(
  files: readonly Amounts[],
  { folder, stage = withoutProgress }: Place,
): Promise<Data[]> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (isStale(name)) rmSync(join(folder, name));
  const pathOf = (amounts: Amounts) => join(folder, `${PREFIX}${total(amounts)}.db`);
  const missing = files.filter((amounts) => !existsSync(pathOf(amounts)));
  const of = total(missing.flat());
  requireRoom(folder, of * BYTES_EACH);
  if (of > 0)
    await stage({ total: of, unit: 'memories' }, async (show) => {
      let made = 0;
      for (const amounts of missing)
        await makeFile(pathOf(amounts), amounts, (more) => show((made += more)));
    });
  return files.map((amounts) => openData(pathOf(amounts), amounts));
}

/** Creates a file under another name, and renames it when it is complete. */
async function makeFile(path: string, amounts: Amounts, progress: (more: number) => void) {
  const draft = `${path}.new`;
  const accounts = accountsOf(amounts);
  await withSeedDatabase(draft, accounts, (writer) => writeMemories(writer, accounts, progress));
  // However many there are, their index is in one piece.
  const db = new Database(draft);
  db.exec("INSERT INTO search (search) VALUES ('optimize')");
  db.close();
  if (total(amounts) <= MOST_FOR_PEERS) addPlain(draft, accounts[0]?.id ?? '');
  renameSync(draft, path);
}

/** Generates the accounts of a file, the same every time. */
function accountsOf(amounts: Amounts): SeedAccount[] {
  const rest = { accounts: 1, size: SIZE, spanMs: SPAN_MS };
  return amounts.flatMap((memories, i) => generate({ ...rest, memories, random: 1 + i }));
}

function openData(path: string, amounts: Amounts): Data {
  const account = accountsOf(amounts)[0]?.id ?? '';
  const expires_at = Date.now() + 86_400_000;
  const key = withFileWriterSync(path, ({ keys }) =>
    keys.create({ account_id: account, label: 'bench', expires_at }),
  );
  const ids = (count: number): string[] => {
    const store = openStore(path);
    const { items } = store.positions({ account_id: account, order: 'desc', projection: 'slim' });
    store.close();
    // A prime larger than any page: steps of this size reach all memories, and never two neighbours
    // in a row.
    const step = 7919;
    return Array.from({ length: count }, (_, i) => items[(i * step) % items.length]?.id ?? '');
  };
  return {
    path,
    memories: total(amounts),
    accounts: amounts.length,
    account,
    key: key.key,
    ids,
  };
}

function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > bytes) return;
  const [needed, free] = [bytes / GIGA, (bavail * bsize) / GIGA].map((gb) => gb.toFixed(1));
  throw new Refusal(
    `The files of the benchmark take ${needed} GB, and ${free} GB are free; make room, or take --quick.`,
  );
}

/** Left by a run that was killed, or of an earlier schema. */
function isStale(name: string): boolean {
  return name.includes('.new') || !name.startsWith(PREFIX);
}

/** The number after the schema is of the way in which the files are made. */
const PREFIX = `schema${SCHEMA_VERSION}-3-`;

function total(amounts: Amounts): number {
  return amounts.reduce((sum, count) => sum + count, 0);
}
