// people: lists the people of an account, and gives them their names.

import type { PersonTotals } from '../../contract/schemas/facets.ts';
import type { NewCorrection } from '../../store/details/new-correction.ts';
import { idOfChosen } from '../args/account.ts';
import { twoArguments, type Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import type { Command, CommandGroup, CommandResult } from '../command.ts';
import { callAsAccount } from '../commands/accounts/account-api.ts';
import type { Context } from '../context.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatTable, formatTime, type Columns } from '../output/text.ts';
import { correct, formatChanged, readCorrection } from './corrections.ts';

/** The group of these commands. */
export const peopleGroup: CommandGroup = {
  summary: 'List people, and give speakers their names',
  about: 'People are those who speak in memories or attend them.',
};

/** The commands about people. */
export const peopleCommands: Readonly<Record<string, Command>> = {
  'people list': {
    summary: 'List people, those with the most memories first',
    options: ['database', 'account', 'q', 'limit', 'json'],
    overrides: {
      account: { unset: 'the only account' },
      q: { help: 'Only people with these words in their names' },
      limit: { help: 'List at most this many people, 1 to 1000' },
    },
    examples: [['The people of an account', 'memory-gateway people list --account mira']],
    run: async (args) => {
      const input = { q: args.text('q'), limit: args.need('limit') as unknown as number };
      const { items, next } = await callAsAccount(args, (api) => api.people.page(input));
      return {
        text: formatTable(items, COLUMNS),
        json: items,
        ...(next !== undefined && {
          more: 'There are more people. See up to 1000 with --limit, or find one with --q.',
        }),
      };
    },
  },

  'people rename': {
    summary: 'Rename a person in all memories, or in one',
    about:
      'Changes the speakers of transcripts, and the people and owners of details. Without --memory it also holds for later imports.',
    takes: 'OLD NEW',
    options: ['database', 'account', 'memory', 'dry-run', 'json'],
    overrides: {
      account: { unset: 'the only account' },
      memory: { help: 'Rename only in this memory' },
    },
    examples: [
      [
        'In one memory',
        'memory-gateway people rename "Speaker 1" "Ann" --memory standup-2026-11-18',
      ],
      ['In all memories', 'memory-gateway people rename "Ann Smith" "Ann Miller"'],
    ],
    run: (args, context) => {
      const [old, name] = twoArguments(args, ['OLD', 'NEW']);
      return rename(args, context, { names: [old], to: name });
    },
  },

  'people merge': {
    summary: 'Make several people one, with the last name',
    takes: 'NAME… NAME',
    options: ['database', 'account', 'dry-run', 'json'],
    overrides: { account: { unset: 'the only account' } },
    examples: [
      ['Two spellings of a name', 'memory-gateway people merge "ann s." "A. Smith" "Ann Smith"'],
    ],
    run: (args, context) => {
      const names = args.positionals.filter((each) => each.trim() !== '');
      const to = names.pop();
      if (to === undefined || names.length === 0)
        throw new UsageError('Give two names or more. The last one stays.');
      return rename(args, context, { names, to });
    },
  },
};

interface Renaming {
  readonly names: readonly string[];
  readonly to: string;
}

async function rename(
  args: Args,
  context: Context,
  { names, to }: Renaming,
): Promise<CommandResult> {
  const corrections: NewCorrection[] = names.map((old) =>
    readCorrection({ field: 'speaker', old, new: to }, 'NEW'),
  );
  const account_id = await idOfChosen(args);
  const memory_id = args.text('memory');
  const result = await correct(args, context, { account_id, memory_id, corrections });
  const { text, json } = formatChanged(result, args.flag('dry-run'));
  if (result.changed.length > 0) return { text, json };
  const none = `Nobody there is called ${names.map((each) => `"${each}"`).join(' or ')}; "people list" shows the names.`;
  const isKept = memory_id === undefined && !args.flag('dry-run');
  const kept = isKept
    ? ' Later imports get the new name all the same; "edits undo" ends that.'
    : '';
  return { text: `${text}\n${escapeLine(none)}${kept}`, json, exit: 1 };
}

const COLUMNS: Columns<PersonTotals> = {
  NAME: ({ name }) => name,
  MEMORIES: ({ memories }) => String(memories),
  LINES: ({ lines }) => String(lines),
  WORDS: ({ words }) => String(words),
  FIRST: ({ first_at }) => formatTime(Date.parse(first_at)),
  LAST: ({ last_at }) => formatTime(Date.parse(last_at)),
};
