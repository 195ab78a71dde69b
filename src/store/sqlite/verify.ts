// Verifies a database: every memory, the feed, the search index and the file itself, in one snapshot.

import type { Database } from 'better-sqlite3';

import { named, RESTORE } from '../finding.ts';
import { memoryOf, rowFaults } from '../kept.ts';
import { counts, feedFaults, orphanFaults, type Fault } from '../linked.ts';
import { unwatched, type Stage } from '../stage.ts';
import type { Verified } from '../verify.ts';
import { entryFaults, ownerFaults } from './entries.ts';
import { isDamage, isSqliteError, openFile } from './file.ts';
import { hold } from './held.ts';
import { openIndex } from './indexed.ts';
import { eachRow } from './kept.ts';
import { schemaFaults } from './schema.ts';
import { inSnapshot } from './snapshot.ts';

const SHOWN = 100;
const STEP = 100;

/** Verifies a file without writing to it. Fails with `Refusal` where it is missing, foreign, older or newer. */
export async function verifyFile(path: string, stage = unwatched): Promise<Verified> {
  let db: Database;
  try {
    db = openFile(path, 'read');
  } catch (error) {
    if (!isDamage(error)) throw error;
    const findings = [(error as Error).message];
    return { at: Date.now(), memories: 0, accounts: 0, findings, more: 0 };
  }
  try {
    return await inSnapshot(db, (at) => verify(db, { at, stage }));
  } finally {
    db.close();
  }
}

/** Verifies what a connection sees, which must be in a transaction. A damaged page is a finding, no failure. */
export async function verify(
  db: Database,
  { at, stage }: { readonly at: number; readonly stage: Stage },
): Promise<Verified> {
  const { memories, accounts } = count(db);
  return stage({ total: memories, unit: 'memories' }, (to) => {
    const findings: string[] = [];
    let more = 0;
    for (const finding of findAll(db, to)) {
      if (findings.length < SHOWN) findings.push(finding);
      else more++;
    }
    return { at, memories, accounts, findings, more };
  });
}

function count(db: Database) {
  try {
    return hold(db, counts).get({}) as { memories: number; accounts: number };
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return { memories: 0, accounts: 0 }; // what is damaged there is found below
  }
}

function* findAll(db: Database, to: (done: number) => void): Generator<string> {
  // The handle is read-only itself; the index is read through temporary tables.
  db.pragma('query_only = OFF');
  const index = openIndex(db);
  yield* untilDamaged('The file', fileFaults(db));
  yield* untilDamaged('The schema', schemaFaults(db));
  yield* untilDamaged('The table of accounts', linkFaults(db, orphanFaults));
  yield* untilDamaged('The table of accounts or of keys', ownerFaults(db));
  yield* untilDamaged('The table of memories', memoryFaults(db, index, to));
  yield* untilDamaged('The feed of changes', linkFaults(db, feedFaults));
  yield* untilDamaged('The table of the feed', entryFaults(db));
  yield* untilDamaged('The search index', index.faults());
}

function* untilDamaged(what: string, faults: Iterable<string>): Generator<string> {
  try {
    yield* faults;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    yield `${what} cannot be read to the end (${error.code}); ${RESTORE}.`;
  }
}

function* linkFaults(db: Database, all: readonly Fault[]): Generator<string> {
  for (const { rows, say } of all) for (const row of hold(db, rows).iterate({})) yield say(row);
}

/** SQLite's own check, also of indexes against tables and of FTS5 against itself: it takes hardly longer than the quick one. */
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
  index: ReturnType<typeof openIndex>,
  to: (done: number) => void,
): Generator<string> {
  let done = 0;
  for (const row of eachRow(db)) {
    if (++done % STEP === 0) to(done);
    if ('lost' in row) {
      yield `${named(row)} cannot be read; ${RESTORE}.`;
      continue;
    }
    const memory = memoryOf(row);
    if (memory) index.add(row, memory);
    yield* rowFaults(row, memory);
  }
  to(done);
}
