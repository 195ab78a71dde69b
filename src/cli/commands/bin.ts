// bin add, list, restore and empty: deleted memories that can still be brought back.

import { toJsonRecord } from '../../lib/time.ts';
import { BIN_DAYS } from '../../store/bin/bin-time.ts';
import { engineOf } from '../../store/engines.ts';
import { idOfChosen, needAccount } from '../args/account.ts';
import { noArguments, type Args } from '../args/args.ts';
import { withAppStore } from '../args/database.ts';
import { readMemoryIds } from '../args/memory-ids.ts';
import { UsageError } from '../args/parse.ts';
import type { Command, CommandGroup } from '../command.ts';
import type { Context } from '../context.ts';
import { formatCount, formatName, formatTable, formatTime } from '../output/text.ts';
import { agentOf } from '../serve/command-env.ts';

/** The group of these commands. */
export const binGroup: CommandGroup = {
  summary: 'Delete memories so that they can come back',
  about: `A memory in the bin is deleted for every program. It comes back unchanged with "bin restore", and is erased after ${BIN_DAYS} days. "memories delete" erases at once.`,
};

/** Returns what runs a command that changes all memories that are named, or none. */
function change(how: 'put' | 'restore', done: string, list: string): Command['run'] {
  return async (args, context) => {
    const ids = await readMemoryIds(args, context);
    const account_id = await needAccount(args);
    await engineOf(args.need('database')).withWriter(({ bin }) =>
      bin[how]({ account_id, ids, agent: agentOf(context) }),
    );
    return {
      text: `${memories(ids.length, `of account ${account_id}`)} ${done}.`,
      json: { account_id, [list]: ids },
    };
  };
}

const addCommand: Command = {
  summary: 'Delete memories and keep them in the bin for 30 days',
  about: 'Deletes all that you name, or none. "-" reads the ids from standard input, one a line.',
  takes: 'ID…',
  options: ['database', 'account', 'json'],
  required: ['account'],
  examples: [['Delete a memory', 'memory-gateway bin add standup-2026-11-18 --account mira']],
  run: change('put', 'in the bin', 'deleted'),
};

const listCommand: Command = {
  summary: 'List the memories in the bin, latest deletion first',
  options: ['database', 'account', 'json'],
  overrides: { account: { unset: 'the only account' } },
  examples: [['The bin of an account', 'memory-gateway bin list --account mira']],
  run: async (args) => {
    const account_id = await idOfChosen(args);
    const all = await withAppStore(args.need('database'), ({ bin }) => bin.list(account_id));
    return {
      text:
        all.length === 0
          ? 'The bin is empty.'
          : formatTable(all, {
              DELETED: ({ deleted_at }) => formatTime(deleted_at),
              ERASED: ({ erased_at }) => formatTime(erased_at),
              ID: ({ id }) => id,
              NAME: ({ name }) => formatName(name),
            }),
      json: all.map(toJsonRecord),
    };
  },
};

const restoreCommand: Command = {
  summary: 'Bring memories back from the bin',
  about: 'Brings back all that you name, or none. "-" reads the ids from standard input.',
  takes: 'ID…',
  options: ['database', 'account', 'json'],
  required: ['account'],
  examples: [
    ['Bring a memory back', 'memory-gateway bin restore standup-2026-11-18 --account mira'],
  ],
  run: change('restore', 'restored', 'restored'),
};

const emptyCommand: Command = {
  summary: 'Erase the memories in the bin for good',
  about:
    'Erases all that you name, or none, and without ids the whole bin. There is no way back except a backup. It needs --yes, except with --expired. "-" reads the ids from standard input.',
  takes: '[ID…]',
  options: ['database', 'account', 'expired', 'yes', 'json'],
  overrides: { account: { unset: 'none' } },
  examples: [
    ['Empty the bin of an account', 'memory-gateway bin empty --account mira --yes'],
    [
      'Erase one memory in the bin',
      'memory-gateway bin empty standup-2026-11-18 --account mira --yes',
    ],
    [
      'Erase what has been in any bin for 30 days, as "serve" does',
      'memory-gateway bin empty --expired',
    ],
  ],
  run: async (args, context) => {
    const isExpired = args.flag('expired');
    if (isExpired) noArguments(args);
    const emptied = isExpired ? 'expired' : await ofAccount(args, context);
    const engine = engineOf(args.need('database'));
    const { count, erased } = await engine.withWriter((writer) => writer.emptyBin(emptied));
    return {
      text: `${memories(count)} erased.`,
      json: { count, erased },
      ...(erased ? {} : { note: engine.erasureNote }),
    };
  },
};

async function ofAccount(args: Args, context: Context) {
  if (!args.flag('yes'))
    throw new UsageError('This erases memories for good; add --yes if you want that.');
  const ids = args.positionals.length > 0 ? await readMemoryIds(args, context) : undefined;
  return { account_id: await needAccount(args), agent: agentOf(context), ids };
}

function memories(count: number, of = ''): string {
  return [formatCount(count, 'memory', 'memories'), of, count === 1 ? 'is' : 'are']
    .filter(Boolean)
    .join(' ');
}

/** The commands for the bin, by name. */
export const binCommands: Record<string, Command> = {
  'bin add': addCommand,
  'bin list': listCommand,
  'bin restore': restoreCommand,
  'bin empty': emptyCommand,
};
