// accounts create, list, rename, disable and enable. See delete-account.ts for accounts delete.

import * as v from 'valibot';

import { Label } from '../../../contract/schemas/label.ts';
import { AccountId } from '../../../contract/schemas/memory.ts';
import { toJsonRecord } from '../../../lib/time.ts';
import { idOfAccount } from '../../args/account.ts';
import { oneArgument, twoArguments } from '../../args/args.ts';
import { commandLike, withWriter } from '../../args/database.ts';
import { UsageError } from '../../args/parse.ts';
import type { Command, CommandGroup } from '../../command.ts';
import { formatTable, formatTime } from '../../output/text.ts';
import { accountsDeleteCommand } from './delete-account.ts';

/** The group of these commands. */
export const accountGroup: CommandGroup = {
  summary: 'Create, list, rename, disable, enable and delete accounts',
  about: 'An account owns memories and API keys. Each person has one.',
};

/** The commands for accounts, by name. */
export const accountCommands: Record<string, Command> = {
  'accounts create': {
    summary: 'Create an account and print its id',
    takes: 'NAME',
    options: ['database', 'id', 'json'],
    examples: [
      [
        'An account with an id that you choose',
        'memory-gateway accounts create "Mira Okafor" --id mira',
      ],
      ['An account with a generated id', 'memory-gateway accounts create "Mira Okafor"'],
    ],
    run: async (args) => {
      const name = oneArgument(args, 'NAME');
      if (!v.is(Label, name)) throw new UsageError(`NAME takes ${v.getDescription(Label)}.`);
      const id = args.text('id');
      if (id !== undefined && !v.is(AccountId, id)) {
        throw new UsageError('--id takes 1 to 128 letters, digits, ".", "_", "~" or "-".');
      }
      const created = await withWriter(args, (writer) =>
        writer.accounts.create({ id, name, created_by: 'command line' }),
      );
      return {
        text: created,
        json: { id: created, name },
        note: `Created the account. Create a key for it with: ${commandLike(args, `keys create --account ${created}`)}`,
      };
    },
  },

  'accounts list': {
    summary: 'List the accounts',
    about: 'Shows the state of each account, and how many keys and memories it has.',
    options: ['database', 'json'],
    examples: [['All accounts of a database', 'memory-gateway accounts list --database mine.db']],
    run: async (args) => {
      const list = await withWriter(args, (writer) => writer.accounts.list());
      return {
        text: formatTable(list, {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          STATE: ({ disabled_at }) => stateOf(disabled_at),
          CREATED: ({ created_at }) => formatTime(created_at),
          KEYS: ({ keys }) => String(keys),
          MEMORIES: ({ memories }) => String(memories),
        }),
        json: list.map(({ disabled_at, created_by: _, ...account }) =>
          toJsonRecord({ ...account, state: stateOf(disabled_at), disabled_at }),
        ),
      };
    },
  },

  'accounts rename': {
    summary: 'Give an account another name',
    about: 'The id of the account stays, so nothing else changes.',
    takes: 'ACCOUNT NAME',
    options: ['database', 'json'],
    examples: [['Rename an account', 'memory-gateway accounts rename mira "Mira Okafor-Lind"']],
    run: async (args) => {
      const [account, name] = twoArguments(args, ['ACCOUNT', 'NAME']);
      if (!v.is(Label, name)) throw new UsageError(`NAME takes ${v.getDescription(Label)}.`);
      const id = await idOfAccount(args, account);
      await withWriter(args, (writer) => writer.accounts.rename(id, name));
      return { text: `Account ${id} has the name "${name}".`, json: { id, name } };
    },
  },

  'accounts disable': {
    summary: 'Disable an account: its keys and sessions end',
    about: 'Its keys work again if you enable it. Whoever was signed in to the app signs in again.',
    takes: 'ACCOUNT',
    options: ['database', 'json'],
    examples: [['Refuse all keys of an account', 'memory-gateway accounts disable mira']],
    run: setDisabled(true),
  },

  'accounts enable': {
    summary: 'Enable an account: its keys work again',
    takes: 'ACCOUNT',
    options: ['database', 'json'],
    examples: [['Accept the keys of an account again', 'memory-gateway accounts enable mira']],
    run: setDisabled(false),
  },

  'accounts delete': accountsDeleteCommand,
};

function stateOf(disabled_at: number | null): 'active' | 'disabled' {
  return disabled_at === null ? 'active' : 'disabled';
}

function setDisabled(disabled: boolean): Command['run'] {
  return async (args) => {
    const id = await idOfAccount(args, oneArgument(args, 'ACCOUNT'));
    await withWriter(args, (writer) => writer.accounts.setDisabled(id, disabled));
    const state = disabled ? 'disabled' : 'active';
    return { text: `Account ${id} is ${state}.`, json: { id, state } };
  };
}
