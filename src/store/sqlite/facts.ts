// Facts of a database file: what a look at it tells, whatever its state, without changing a byte.

import type { Database } from 'better-sqlite3';

import type { ApiKeyState } from '../apikey.ts';
import type { ApiKeyRecord } from '../keys.ts';
import { Refusal, type Trouble } from '../refusal.ts';
import { explain, openFile, sqliteVersion } from './file.ts';
import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { requireOurs } from './ours.ts';
import { parts, type Part } from './parts.ts';
import { schemaFaults } from './schema.ts';

/** What a database file says of itself; null where it could not be read. Times are milliseconds since 1970. */
export interface Facts {
  /** Why it cannot be served, and the sentence that says so and what mends it. */
  readonly trouble: Trouble | null;
  readonly refusal: string | null;
  readonly sqlite: string;
  readonly schema: number | null;
  readonly schema_wanted: number;
  /** Tables, indexes and triggers that are missing or changed, each in a sentence with what mends it. */
  readonly schema_faults: readonly string[] | null;
  readonly page_size: number | null;
  readonly pages: number | null;
  readonly free_pages: number | null;
  readonly journal_mode: string | null;
  readonly accounts: Readonly<Record<'active' | 'disabled', number>> | null;
  readonly keys: Readonly<Record<ApiKeyState, number>> | null;
  /** Active keys that never expire. */
  readonly keys_without_end: number | null;
  /** Active keys that expire within `SOON_DAYS`, the first one first. */
  readonly keys_expiring: readonly ExpiringKey[] | null;
  readonly memories: number | null;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly changes: number | null;
}

/** A key that expires soon. */
export type ExpiringKey = Pick<ApiKeyRecord, 'id' | 'label' | 'account_id'> & {
  readonly expires_at: number;
};

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
  memories: null,
  oldest: null,
  newest: null,
  changes: null,
};

/** Reads what a file says of itself. What is wrong with it is a fact, too: this fails with bugs alone. */
export function readFacts(path: string): Facts {
  const found: Partial<Facts> = {};
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
    return { ...facts(), trouble: error.trouble ?? 'unusable', refusal: error.message };
  }
}

/** Looks at a file, and hands over part after part: what was read before one that fails counts. */
function read(path: string, take: (part: Partial<Facts>) => void): void {
  const db = openFile(path, 'look');
  try {
    const looks = db.transaction(() => {
      take(readHead(db));
      const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
      if (isOurs && schemaVersion(db) === SCHEMA_VERSION)
        take({ schema_faults: [...schemaFaults(db)] });
      if (isOurs) for (const part of parts) take(ifThere(db, part));
      requireOurs(db, path, 'read');
    });
    looks();
  } catch (error) {
    throw explain(error, path);
  } finally {
    db.close();
  }
}

function readHead(db: Database): Partial<Facts> {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number;
  return {
    schema: schemaVersion(db),
    page_size: pragma('page_size'),
    pages: pragma('page_count'),
    free_pages: pragma('freelist_count'),
    journal_mode: db.pragma('journal_mode', { simple: true }) as string,
  };
}

/** Reads a part; another schema than ours may not have it. */
function ifThere(db: Database, part: Part): Partial<Facts> {
  try {
    return part(db);
  } catch (error) {
    const isNotThere = (error as { code?: string }).code === 'SQLITE_ERROR'; // no such table or column
    if (isNotThere && schemaVersion(db) !== SCHEMA_VERSION) return {};
    throw error;
  }
}
