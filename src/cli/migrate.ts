// migrate: makes a database, or brings its schema up to date.

import { showDatabase } from '../store/address.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { watched } from './verify.ts';

/** Makes a database, or brings its schema up to date; a file that was there is kept beside it. */
export const migrateCommand: Command = {
  summary:
    'create the database, or bring its schema up to date; a file that was there is kept beside it',
  options: ['database', 'discard', 'json'],
  says: {
    discard:
      'keep no copy of the file as it was; of PostgreSQL none is kept, as migrations are one transaction',
  },
  run: async (args) => {
    none(args);
    const database = args.need('database');
    const { upgrade } = await import('../store/upgrade.ts');
    const discard = args.flag('discard');
    const { schema, applied, kept } = await upgrade({ database, discard, stage: watched });
    const name = showDatabase(database);
    const how = applied.length === 0 ? ' already' : ` (applied ${applied.join(', ')})`;
    const old = kept === undefined ? '' : ` What was there is kept as ${kept}.`;
    return {
      text: `${name} has schema ${schema}${how}.${old}`,
      json: { database: name, schema, applied, kept: kept ?? null },
    };
  },
};
