// migrate: creates a database, or updates its schema.

import { showDatabase } from '../../../store/address.ts';
import { engineOf } from '../../../store/engines.ts';
import { withCleanup } from '../../cleanup.ts';
import type { Command } from '../../command.ts';
import { showStages } from '../../output/progress.ts';

/** Creates a database, or updates its schema. */
export const migrateCommand: Command = {
  summary: 'Create the database or update its schema',
  about:
    'Before it updates a SQLite file, it keeps a copy of the file and prints its name. On PostgreSQL all migrations are one transaction.',
  options: ['database', 'discard', 'json'],
  overrides: { discard: { help: 'Do not keep a copy of the SQLite file' } },
  examples: [
    ['Create the database in the default file', 'memory-gateway migrate'],
    [
      'Create the tables in PostgreSQL',
      'memory-gateway migrate --database postgres://user@host/memories',
    ],
  ],
  run: withCleanup(async (args, context) => {
    const database = args.need('database');
    const engine = engineOf(database);
    const discard = args.flag('discard');
    const { schema, applied, kept } = await engine.upgrade({
      discard,
      stage: showStages(context),
    });
    const name = showDatabase(database);
    const how = applied.length === 0 ? ' already' : ` (applied ${applied.join(', ')})`;
    const old = kept === undefined ? '' : ` The file from before is kept as ${kept}.`;
    return {
      text: `${name} has ${engine.name} schema ${schema}${how}.${old}`,
      json: { database: name, schema, applied, kept: kept ?? null },
    };
  }),
};
