// memories list, show, delete: the last takes all that are named, or none.

import * as v from 'valibot';

import { MemoryId } from '../contract/memory.ts';
import { isPostgres } from '../store/address.ts';
import { withWriter } from '../store/writer.ts';
import { Mistake, type Args } from './args.ts';
import type { Command } from './command.ts';
import { listCommand, showCommand } from './recall.ts';

/** The commands of memories, by name. */
export const memories: Record<string, Command> = {
  'memories list': listCommand,
  'memories show': showCommand,

  'memories delete': {
    summary: 'delete memories for good: all that are named, or none',
    takes: 'ID…',
    options: ['database', 'account', 'json'],
    run: async (args) => {
      const ids = readIds(args);
      const account_id = args.need('account');
      const database = args.need('database');
      const erased = await withWriter(database, (writer) => writer.erase({ account_id, ids }));
      const [first] = ids;
      const what = ids.length === 1 ? `Memory ${first}` : `${ids.length} memories`;
      return {
        text: `${what} of account ${account_id} ${ids.length === 1 ? 'is' : 'are'} deleted.`,
        json: { account_id, deleted: ids, erased },
        ...(erased ? {} : { note: isPostgres(database) ? KEPT : HELD }),
      };
    },
  },
};

/** A row that is deleted is a version that nobody sees; VACUUM gives its place to others, and overwrites nothing. */
const KEPT =
  'No answer has the words any more; the files of PostgreSQL have them until VACUUM has run and others are written in their place, and its log (WAL), replicas and backups for as long as these are kept.';

const HELD =
  'Another program is reading the database, so the words are still in its files. The next command, such as "accounts list", takes them out once that has ended.';

function readIds({ positionals }: Args): string[] {
  if (positionals.length === 0) throw new Mistake('Give the ID of at least one memory.');
  for (const id of positionals) {
    if (!v.is(MemoryId, id))
      throw new Mistake(`ID takes ${v.getDescription(MemoryId)}, not "${String(id)}".`);
  }
  return [...new Set(positionals)];
}
