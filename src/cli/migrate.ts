// migrate: makes a database, or brings its schema up to date.

import { SCHEMA_VERSION } from '../store/migrate.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { watched } from './verify.ts';

/** Makes a database, or brings its schema up to date; what was there is kept beside it. */
export const migrateCommand: Command = {
  summary: 'create the database, or bring its schema up to date; what was there is kept beside it',
  options: ['database', 'discard', 'json'],
  says: { discard: 'keep no copy of the database as it was' },
  run: async (args) => {
    none(args);
    const database = args.need('database');
    const { upgrade } = await import('../store/upgrade.ts');
    const discard = args.flag('discard');
    const { applied, kept } = await upgrade({ database, discard, stage: watched });
    const how = applied.length === 0 ? ' already' : ` (applied ${applied.join(', ')})`;
    const old = kept === undefined ? '' : ` What was there is kept as ${kept}.`;
    return {
      text: `${database} has schema ${SCHEMA_VERSION}${how}.${old}`,
      json: { database, schema: SCHEMA_VERSION, applied, kept: kept ?? null },
    };
  },
};
