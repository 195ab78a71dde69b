// Imports: the same memories imported by the gateway's program, and by the import of `sqlite3`.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { generate } from '../generate.ts';
import { MAIN, OURS } from './contestants.ts';
import { inTurn, largest, type Samples, type Work } from './measurement.ts';
import type { Sample } from './stats.ts';
import { timed } from './time-command.ts';

/** The account that receives the memories. */
const ACCOUNT = 'bench';
const SIZE = 4000;

/** The files to import. Columns are separated by tabs, which JSON never contains. */
interface Incoming {
  readonly lines: string;
  /** Id and JSON. */
  readonly plain: string;
}

/** A program that imports memories into a file. */
export interface Importer {
  readonly name: string;
  /** Prepares the import, unmeasured. */
  readonly prepare: (database: string) => void;
  readonly command: (database: string, incoming: Incoming) => readonly string[];
}

const SQLITE = 'sqlite3';
/** One column for the key and one for the memory, which is the minimum. */
const PLAIN = 'CREATE TABLE memories (id TEXT PRIMARY KEY, body TEXT NOT NULL)';
const SEPARATORS = String.raw`.separator "\t" "\n"`;

/** The programs to measure. The first is the baseline. */
export const importers: readonly Importer[] = [
  {
    name: 'sqlite3 .import',
    prepare: () => {},
    command: (database, { plain }) => {
      const steps = ['.mode ascii', SEPARATORS, `.import ${plain} memories`];
      return [SQLITE, database, PLAIN, ...steps];
    },
  },
  {
    name: OURS,
    prepare: (database) => {
      const account = { id: ACCOUNT, name: ACCOUNT, created_by: 'seed' } as const;
      createDatabase(database, ({ accounts }) => void accounts.create(account));
    },
    command: (database, { lines }) => {
      const program = [process.execPath, MAIN, 'import'];
      return [...program, '--database', database, '--account', ACCOUNT, lines];
    },
  },
];

/** The measurement. Its files are on the disk of the data, which has room. */
export const importing: Work = {
  name: 'import',
  title: 'import of memories of 4 kB',
  targets: [{ count: 'memoriesPerSecond', least: 0.25 }],
  lack() {
    if (spawnSync(SQLITE, ['-version']).status === 0) return undefined;
    return 'there is no sqlite3 on the path to compare with; on Debian: apt-get install sqlite3';
  },
  measure: ({ pace, files }) =>
    runImports(importers, {
      memories: pace.imports,
      times: pace.lists,
      folder: dirname(largest(files).path),
    }),
};

/** The number of memories and rounds, and the folder for files. */
export interface Amount {
  readonly memories: number;
  readonly times: number;
  readonly folder: string;
}

/** Runs the imports in turn, each into a new file. */
export async function runImports(
  all: readonly Importer[],
  { memories, times, folder }: Amount,
): Promise<Samples> {
  // A run that was killed leaves these files, and the next run deletes them: see data.ts.
  const database = join(folder, 'import.new.db');
  const incoming = writeIncoming(folder, memories);
  const once = { database, incoming, memories };
  try {
    return await inTurn(all, times, (importer) => importOnce(importer, once));
  } finally {
    for (const file of Object.values(incoming)) rmSync(file);
  }
}

interface Once {
  readonly database: string;
  readonly incoming: Incoming;
  readonly memories: number;
}

async function importOnce(
  importer: Importer,
  { database, incoming, memories }: Once,
): Promise<Sample> {
  try {
    importer.prepare(database);
    const { seconds, cpuUs } = await timed(importer.command(database, incoming));
    requireAll(importer.name, database, memories);
    return { memoriesPerSecond: memories / seconds, cpuUs: cpuUs / memories };
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(database + end, { force: true });
  }
}

function requireAll(name: string, database: string, memories: number): void {
  const db = new Database(database, { readonly: true });
  const there = db.prepare('SELECT count(*) FROM memories').pluck().get();
  db.close();
  if (there === memories) return;
  throw new Refusal(`${name} imported ${String(there)} memories, and was given ${memories}.`);
}

/** Writes this many memories of 4 kB into a folder, in each format. */
function writeIncoming(folder: string, memories: number): Incoming {
  const [account] = generate({ accounts: 1, memories, size: SIZE, random: 1 });
  const texts = Array.from(account?.memories ?? [], (memory) => {
    const { id, body } = prepareMemory(ACCOUNT, memory).row;
    return { id, body: Buffer.from(body).toString() };
  });
  const write = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  return {
    lines: write(
      'import.new.jsonl',
      texts.map(({ body }) => body),
    ),
    plain: write(
      'import.new.plain',
      texts.map(({ id, body }) => `${id}\t${body}`),
    ),
  };
}
