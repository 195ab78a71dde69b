// edits: lists what was put right, and takes edits back.

import { toJsonRecord } from '../../lib/time.ts';
import type { StoredCorrection } from '../../store/details/correct.ts';
import { idOfChosen } from '../args/account.ts';
import { withWriter } from '../args/database.ts';
import { readIds } from '../args/memory-ids.ts';
import { UsageError } from '../args/parse.ts';
import type { Command, CommandGroup } from '../command.ts';
import { formatTable, formatTime, type Columns } from '../output/text.ts';
import { correct, formatChanged } from './corrections.ts';
import { editCommand } from './edit.ts';

/** The group of these commands. */
export const editGroup: CommandGroup = {
  summary: 'List what was put right, and take it back',
  about: 'The commands "edit" and "people" make edits. Memories are made again with them.',
};

/** The commands about edits. */
export const editCommands: Readonly<Record<string, Command>> = {
  edit: editCommand,

  'edits list': {
    summary: 'List the edits of an account, oldest first',
    options: ['database', 'account', 'memory', 'json'],
    overrides: {
      account: { unset: 'the only account' },
      memory: { unset: 'all', help: 'Only edits of this memory' },
    },
    examples: [['All edits', 'memory-gateway edits list --account mira']],
    run: async (args) => {
      const account_id = await idOfChosen(args);
      const memory = args.text('memory');
      const all = await withWriter(args, (writer) => writer.corrections.list(account_id));
      const edits = all.filter(({ memory_id }) => memory === undefined || memory_id === memory);
      return { text: formatTable(edits, COLUMNS), json: edits.map(toJson) };
    },
  },

  'edits undo': {
    summary: 'Take edits back: their memories are made again',
    about: 'Takes back all that you name, or none. "-" reads the ids from standard input.',
    takes: 'EDIT…',
    options: ['database', 'account', 'dry-run', 'json'],
    overrides: { account: { unset: 'the only account' } },
    examples: [
      [
        'Take back an edit by its id, which "edits list" shows',
        'memory-gateway edits undo 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071',
      ],
    ],
    run: async (args, context) => {
      const removed = await readIds(args, context);
      if (removed.length === 0) throw new UsageError('Give the id of at least one edit.');
      const account_id = await idOfChosen(args);
      const request = { account_id, corrections: [], removed };
      return formatChanged(await correct(args, context, request), args.flag('dry-run'));
    },
  },
};

const COLUMNS: Columns<StoredCorrection> = {
  ID: ({ id }) => id,
  MADE: ({ made_at }) => formatTime(made_at),
  MEMORY: ({ memory_id }) => memory_id ?? 'all',
  FIELD: ({ field }) => field,
  FROM: ({ old }) => old ?? '',
  TO: (edit) => edit.new,
  NOTE: ({ isIdle, field }) =>
    isIdle !== true ? '' : field === 'speaker' ? 'no such speaker' : 'the same as imported',
};

function toJson({ isIdle, account_id: _, old, new: to, ...edit }: StoredCorrection): object {
  return toJsonRecord({ ...edit, from: old, to, without_effect: isIdle });
}
