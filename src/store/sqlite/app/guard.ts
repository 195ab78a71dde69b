// Makes every statement of a connection fail that would write anything but the app's tables.

import type { Database } from 'better-sqlite3';

import { readSql } from '../../sql/migrations.ts';
import type { Connection } from '../../sql/query.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { connectionTo, hideParameters, prepareOn } from '../statements.ts';

/** The tables that the app writes. */
const OURS = [
  'sessions',
  'sign_in_links',
  'challenges',
  'passkeys',
  'passwords',
  'sign_in_failures',
  'account_events',
  'api_keys',
  'key_reads',
  'grants',
  'grant_tokens',
  'oauth_clients',
  'pulls',
  'shares',
  'bookmarks',
  'searches',
];

const WRITES_OURS = new RegExp(`^(?:insert into|update|delete from) "(?:${OURS.join('|')})"`);

/** The names of tables that this program creates. */
const OWN_TABLE = /^[a-z_]+$/;

const tables = query((_: Slot<object>) =>
  build.selectFrom('sqlite_schema').select('name').where('type', '=', 'table'),
);

/**
 * Guards a connection. SQLite refuses writes to all other tables by temporary triggers, however they come
 * about. The search index is a virtual table and can have no triggers, so the text of each statement is
 * checked as well. Measured: 1 ms.
 */
export function guardWrites(db: Database, now?: () => number): Connection {
  const names = prepareOn(db, tables)
    .all({})
    .map(({ name }) => name)
    .filter((name) => OWN_TABLE.test(name) && !OURS.includes(name) && !hasNoTriggers(name));
  const triggers = readSql('sqlite', 'temporary/app-guard.sql');
  for (const name of names) db.exec(triggers.replaceAll('guarded_table', name));
  const { prepare, ...rest } = connectionTo(db, now);
  return {
    ...rest,
    prepare(wanted) {
      const sql = hideParameters(wanted.sql);
      const isRead = sql.startsWith('select ') && db.prepare(sql).readonly;
      if (!isRead && !WRITES_OURS.test(sql))
        throw new Error(`The app cannot run this statement: ${sql}`);
      return prepare(wanted);
    },
  };
}

/** Returns whether a table can have no triggers: those of SQLite and of the search index. */
function hasNoTriggers(name: string): boolean {
  return /^sqlite_|^search$|^search_(?!weeks$)/.test(name);
}
