// Privileges: finds out whether the database user may do more than read.

import { showDatabase } from '../../address.ts';
import type { Warn } from '../../servers.ts';
import { query, type Slot } from '../../sql/query.ts';
import { postgresQuery as build, prepare, SCHEMA } from '../statements.ts';
import type { ConnectionPool } from './connection.ts';

/** The tables that serving never writes. With the app, its user may write keys and the app's own tables. */
const TABLES = [
  'accounts',
  'memories',
  'search_weeks',
  'changes',
  'change_epochs',
  'sources',
  'source_memories',
  'watched_files',
  'originals',
  'details',
  'facets',
  'facet_totals',
  'action_items',
  'corrections',
  'deleted_memories',
  'uncorrected',
  'vector_signs',
  'vector_values',
  'schema_versions',
] as const;

/** Whether the user may write to any table, and whether row-level security binds it. */
const rights = prepare(
  query((_: Slot<object>) =>
    build.selectNoFrom((eb) => {
      const memories = eb.cast<string>(eb.val(`${SCHEMA}.memories`), 'text');
      const mayWrite = TABLES.flatMap((name) => {
        const table = eb.cast<string>(eb.val(`${SCHEMA}.${name}`), 'text');
        return [
          eb.fn<boolean>('has_table_privilege', [table, eb.val('DELETE, TRUNCATE')]),
          eb.fn<boolean>('has_any_column_privilege', [table, eb.val('INSERT, UPDATE')]),
        ];
      });
      return [
        eb.or(mayWrite).as('may_write'),
        eb.not(eb.fn<boolean>('row_security_active', [memories])).as('sees_all'),
      ];
    }),
  ),
);

/** Warns if the database user has privileges that serving does not need. */
export async function tellExcess(connections: ConnectionPool, warn: Warn): Promise<void> {
  const [found] = await connections.query(rights(), {});
  const does = [
    found?.may_write ? 'may write' : '',
    found?.sees_all ? 'is not bound by row-level security' : '',
  ].filter(Boolean);
  if (does.length === 0) return;
  const name = showDatabase(connections.address);
  warn(
    { database: name },
    `the user of this database ${does.join(' and ')}; serve as the read-only user that scripts/deploy/postgres.sql creates`,
  );
}
