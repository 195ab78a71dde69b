// Inspects a database file in any state, without changing a byte.

import type { Database } from 'better-sqlite3';

import { DAY_MS } from '../../../lib/time.ts';
import { apiKeyState } from '../../accounts/api-key.ts';
import {
  type ExpiringKey,
  type DatabaseFileFacts,
  SOON_DAYS,
  UNUSED_DAYS,
  type UnusedKey,
} from '../../files/database-file.ts';
import { Refusal } from '../../refusal.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { selectRows } from '../../sql/row-queries.ts';
import { explainSqlite, openFile, sqliteVersion } from '../connection.ts';
import { requireCurrentSchema } from '../errors.ts';
import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from '../migrations.ts';
import { schemaFaults } from '../schema.ts';
import { prepareOn } from '../statements.ts';
import { accountWritesOn, keyWritesOn } from '../writer.ts';

const memories = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .select(({ fn }) => [
      fn.countAll<number>().as('memories'),
      fn.min<number | null>('started_at').as('oldest'),
      fn.max<number | null>('started_at').as('newest'),
    ]),
);

const originals = query((_: Slot<object>) =>
  build
    .selectFrom('originals')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('bytes').as('bytes'),
      fn.sum<number | null>(fn<number>('length', ['compressed'])).as('stored'),
    ]),
);

const sources = selectRows('sources', {
  columns: [
    'account_id',
    'name',
    'kind',
    'interval_ms',
    'active_at',
    'succeeded_at',
    'result',
    'error',
  ],
  order: ['account_id', 'name'],
});

const changes = query((_: Slot<object>) =>
  build.selectFrom('changes').select(({ fn }) => fn.countAll<number>().as('changes')),
);

const grants = query((slot: Slot<{ now: number }>) =>
  build
    .selectFrom('grants')
    .select(['created_at', 'last_used_at'])
    .where('expires_at', '>', slot('now')),
);

/** Reads a part of the facts. */
type FactsReader = (db: Database) => Partial<DatabaseFileFacts>;

/** The readers of all parts, in order. */
const factsReaders: readonly FactsReader[] = [
  readAccounts,
  readKeys,
  readGrants,
  (db) => prepareOn(db, memories).get({}) ?? {},
  readOriginals,
  (db) => prepareOn(db, changes).get({}) ?? {},
  (db) => ({ sources: prepareOn(db, sources).all({}) }),
];

function readAccounts(db: Database): Partial<DatabaseFileFacts> {
  const all = accountWritesOn(db).list();
  const disabled = all.filter(({ disabled_at }) => disabled_at !== null).length;
  return { accounts: { active: all.length - disabled, disabled } };
}

function readKeys(db: Database): Partial<DatabaseFileFacts> {
  const now = Date.now();
  const keys = { active: 0, revoked: 0, expired: 0, disabled: 0 };
  const expiring: ExpiringKey[] = [];
  let keys_without_end = 0;
  const unused: UnusedKey[] = [];
  let isRecorded = false;
  for (const { id, label, account_id, expires_at, ...dates } of keyWritesOn(db).list()) {
    const { last_used_at } = dates;
    const isUnused = last_used_at !== null && now - last_used_at > UNUSED_DAYS * DAY_MS;
    if (last_used_at !== null && !isUnused) isRecorded = true;
    const state = apiKeyState({ ...dates, expires_at }, now);
    keys[state]++;
    if (state !== 'active') continue;
    if (isUnused) unused.push({ id, label, account_id, last_used_at });
    if (expires_at === null) keys_without_end++;
    else if (expires_at - now < SOON_DAYS * DAY_MS)
      expiring.push({ id, label, account_id, expires_at });
  }
  const keys_expiring = expiring.toSorted((a, b) => a.expires_at - b.expires_at);
  const keys_unused = isRecorded ? unused.toSorted((a, b) => a.last_used_at - b.last_used_at) : [];
  return { keys, keys_without_end, keys_expiring, keys_unused };
}

function readOriginals(db: Database): Partial<DatabaseFileFacts> {
  const { count = 0, bytes, stored } = prepareOn(db, originals).get({}) ?? {};
  return { originals: { count, bytes: bytes ?? 0, stored: stored ?? 0 } };
}

function readGrants(db: Database): Partial<DatabaseFileFacts> {
  const now = Date.now();
  const active = prepareOn(db, grants).all({ now });
  const unused = active.filter(
    ({ created_at, last_used_at }) => now - (last_used_at ?? created_at) > UNUSED_DAYS * DAY_MS,
  );
  return { grants: { active: active.length, unused: unused.length } };
}

const NOTHING = {
  schema: null,
  schema_faults: null,
  page_size: null,
  pages: null,
  free_pages: null,
  journal_mode: null,
  accounts: null,
  keys: null,
  keys_without_end: null,
  keys_expiring: null,
  keys_unused: null,
  grants: null,
  memories: null,
  oldest: null,
  newest: null,
  originals: null,
  changes: null,
  sources: null,
};

/** Reads what a file says about itself. A damaged file is a fact too, not an error. */
export function inspectFile(path: string): DatabaseFileFacts {
  const found: Partial<DatabaseFileFacts> = {};
  const facts = () => ({
    trouble: null,
    refusal: null,
    sqlite: sqliteVersion(),
    schema_wanted: SCHEMA_VERSION,
    ...NOTHING,
    ...found,
  });
  try {
    read(path, (part) => Object.assign(found, part));
    return facts();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...facts(), trouble: error.code ?? 'unusable', refusal: error.message };
  }
}

/** Reads a file part by part, so that the parts before a failure count. */
function read(path: string, take: (part: Partial<DatabaseFileFacts>) => void): void {
  const db = openFile(path, 'look');
  try {
    const readAll = db.transaction(() => {
      take(readHead(db));
      const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
      if (isOurs && schemaVersion(db) === SCHEMA_VERSION)
        take({ schema_faults: [...schemaFaults(db)] });
      if (isOurs) for (const part of factsReaders) take(ifThere(db, part));
      requireCurrentSchema(db, path, 'read');
    });
    readAll();
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    db.close();
  }
}

function readHead(db: Database): Partial<DatabaseFileFacts> {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number;
  return {
    schema: schemaVersion(db),
    page_size: pragma('page_size'),
    pages: pragma('page_count'),
    free_pages: pragma('freelist_count'),
    journal_mode: db.pragma('journal_mode', { simple: true }) as string,
  };
}

/** Reads a part. In another schema, a part may be missing. */
function ifThere(db: Database, part: FactsReader): Partial<DatabaseFileFacts> {
  try {
    return part(db);
  } catch (error) {
    const isNotThere = (error as { code?: string }).code === 'SQLITE_ERROR'; // no such table or column
    if (isNotThere && schemaVersion(db) !== SCHEMA_VERSION) return {};
    throw error;
  }
}
