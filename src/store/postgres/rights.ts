// Rights: what the user of a connection may do beside reading, which one who only reads should not.

import { showDatabase } from '../address.ts';
import type { Warn } from '../options.ts';
import { query, type Slot } from '../query.ts';
import { buildPostgres as build, prepare, SCHEMA } from './build.ts';
import type { Connections } from './driver.ts';

const TABLES = [
  'accounts',
  'api_keys',
  'memories',
  'search_weeks',
  'changes',
  'change_epochs',
  'schema_versions',
] as const;

/** Whether the user may write anywhere, and whether it sees past the wall between accounts. */
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

/** Warns of a user who may do what serving does not need, and says whom to take in its place. */
export async function tellExcess(connections: Connections, warn: Warn): Promise<void> {
  const [found] = await connections.query(rights(), {});
  const does = [
    found?.may_write ? 'may write' : '',
    found?.sees_all ? 'is not held by row-level security' : '',
  ].filter(Boolean);
  if (does.length === 0) return;
  const name = showDatabase(connections.address);
  warn(
    { database: name },
    `the user of this database ${does.join(' and ')}; serve as one who only reads, whom scripts/deploy/postgres.sql makes`,
  );
}
