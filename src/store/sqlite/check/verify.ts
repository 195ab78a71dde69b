// Verifies a SQLite file in one snapshot: every memory, the feed, the search index and the file itself.

import { closeSync, openSync, readSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import {
  type CheckPart,
  collectFindings,
  memoryName,
  PAUSE,
  RESTORE,
  type Finding,
  type Verified,
} from '../../check/findings.ts';
import { countRows } from '../../check/links.ts';
import { memoryOf, rowFaults } from '../../check/memories.ts';
import { accountParts, createFeedParts } from '../../check/rows.ts';
import { withoutProgress, type Stage } from '../../progress.ts';
import { isDamage, isSqliteError, openFile } from '../connection.ts';
import { schemaFaults } from '../schema.ts';
import { inSnapshot } from '../snapshot.ts';
import { prepareOn } from '../statements.ts';
import { scanMemories } from './scan.ts';
import { compareSearchIndex } from './verify-search.ts';

function* partFaults(db: Database, parts: readonly CheckPart[]): Generator<Finding> {
  for (const [what, checks] of parts) yield* untilDamaged(what, faultsIn(db, checks));
}

function* faultsIn(db: Database, checks: CheckPart[1]): Generator<string> {
  for (const { rows, faults } of checks)
    for (const row of prepareOn(db, rows).iterate({})) yield* faults(row);
}

const STEP = 100;

/** Verifies a file without writing to it. Rejects with `Refusal` if it is missing, foreign, older or newer. */
export async function verifyFile(path: string, stage = withoutProgress): Promise<Verified> {
  let db: Database;
  const header = headerFaults(path);
  try {
    db = openFile(path, 'visit');
  } catch (error) {
    if (!isDamage(error)) throw error;
    const findings = [(error as Error).message];
    return { at: Date.now(), memories: 0, accounts: 0, findings, more: 0 };
  }
  try {
    const found = await inSnapshot(db, (at) => verifyConnection(db, { at, stage }));
    return { ...found, findings: [...header, ...found.findings] };
  } finally {
    db.close();
  }
}

/** Where the header of a file has the version by which SQLite decides whether it may write, and the highest one. */
const WRITE_VERSION = { at: 18, most: 2 };

/**
 * Finds what lets SQLite read a file but not write it. Reads before the file is opened: closing any handle of a file
 * drops the locks that SQLite has on it.
 */
function headerFaults(path: string): string[] {
  const header = Buffer.alloc(100);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header);
    } finally {
      closeSync(file);
    }
  } catch {
    return []; // opening it gives the reason
  }
  const version = header[WRITE_VERSION.at] ?? 0;
  if (version <= WRITE_VERSION.most) return [];
  return [
    `The header says that only a newer SQLite may write this file (version ${version}); ${RESTORE}.`,
  ];
}

/** Verifies what a connection sees. It must be in a transaction. A damaged page is a finding, not an error. */
export async function verifyConnection(
  db: Database,
  { at, stage }: { readonly at: number; readonly stage: Stage },
): Promise<Verified> {
  const { memories, accounts } = count(db);
  return stage({ total: memories, unit: 'memories' }, async (to) => {
    const found = await collectFindings(findAll(db, to));
    return { at, memories, accounts, ...found };
  });
}

function count(db: Database) {
  try {
    return prepareOn(db, countRows).get({}) as { memories: number; accounts: number };
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return { memories: 0, accounts: 0 }; // the damage is found below
  }
}

function* findAll(db: Database, to: (done: number) => void): Generator<Finding> {
  // For temporary tables, through which the index is read. The file itself is opened read-only.
  db.pragma('query_only = OFF');
  const index = compareSearchIndex(db);
  yield* untilDamaged('The file', fileFaults(db));
  yield PAUSE;
  yield* untilDamaged('The schema', schemaFaults(db));
  yield* partFaults(db, accountParts);
  yield* untilDamaged('The table of memories', memoryFaults(db, index, to));
  yield PAUSE;
  yield* partFaults(db, createFeedParts());
  yield PAUSE;
  yield* untilDamaged('The search index', index.faults());
}

function* untilDamaged(what: string, faults: Iterable<Finding>): Generator<Finding> {
  try {
    yield* faults;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    yield `${what} cannot be read to the end (${error.code}); ${RESTORE}.`;
  }
}

/** Runs SQLite's own checks, also of indexes against tables and of FTS5. The full check takes hardly longer than the quick one. */
function* fileFaults(db: Database): Generator<string> {
  for (const row of db.prepare<[], string>('PRAGMA integrity_check').pluck().iterate())
    if (row !== 'ok') yield `SQLite finds: ${row.replaceAll(/\s+/g, ' ')}; ${RESTORE}.`;
  const tables = new Set<string>();
  for (const row of db.prepare<[], string>('PRAGMA foreign_key_check').pluck().iterate())
    tables.add(row);
  for (const table of tables)
    yield `SQLite finds: ${table} has rows that belong to nothing; ${RESTORE}.`;
}

function* memoryFaults(
  db: Database,
  index: ReturnType<typeof compareSearchIndex>,
  to: (done: number) => void,
): Generator<Finding> {
  let done = 0;
  for (const row of scanMemories(db)) {
    if (++done % STEP === 0) {
      to(done);
      yield PAUSE;
    }
    if ('lost' in row) {
      yield `${memoryName(row)} cannot be read; ${RESTORE}.`;
      continue;
    }
    const memory = memoryOf(row);
    if (memory) index.add(row, memory);
    yield* rowFaults(row, memory);
  }
  to(done);
}
