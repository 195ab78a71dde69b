// The schema of a database, compared with the one that the migrations make.

import type { Database } from 'better-sqlite3';

import { REBUILD, show } from '../finding.ts';
import { build, query, type Slot } from '../query.ts';
import { openEmpty } from './file.ts';
import { hold } from './held.ts';
import { applyMigrations } from './migrate.ts';

const parts = query((_: Slot<object>) =>
  build.selectFrom('sqlite_schema').select(['type', 'name', 'sql']).where('sql', 'is not', null),
);

/** Finds tables, indexes and triggers that are missing or changed, and triggers that are not ours. */
export function* schemaFaults(db: Database): Generator<string> {
  const there = partsOf(db);
  for (const [name, { type, sql }] of ours()) {
    const part = there.get(name);
    there.delete(name);
    if (part === undefined) yield `The ${type} ${name} is missing; ${REBUILD}.`;
    else if (part.sql !== sql)
      yield `The ${type} ${name} is not as this program makes it; ${REBUILD}.`;
  }
  // Views and indexes that somebody has added change no memory.
  for (const [name, { type }] of there)
    if (type === 'trigger') yield `The trigger ${show(name)} is not of this program; ${REBUILD}.`;
}

function ours() {
  const db = openEmpty();
  try {
    applyMigrations(db);
    return partsOf(db);
  } finally {
    db.close();
  }
}

function partsOf(db: Database) {
  return new Map(
    hold(db, parts)
      .all({})
      .map((part) => [part.name, part]),
  );
}
