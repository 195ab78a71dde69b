// migrate: makes a database, or brings its schema up to date.

import { SCHEMA_VERSION } from '../store/migrate.ts';
import { migrate } from '../store/writer.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';

/** Makes a database, or brings its schema up to date. */
export const migrateCommand: Command = {
  summary: 'create the database, or bring its schema up to date',
  options: ['database', 'json'],
  run: (args) => {
    none(args);
    const database = args.need('database');
    const applied = migrate(database);
    return {
      text: `${database} has schema ${SCHEMA_VERSION}${applied.length === 0 ? ' already' : ` (applied ${applied.join(', ')})`}.`,
      json: { database, schema: SCHEMA_VERSION, applied },
    };
  },
};
