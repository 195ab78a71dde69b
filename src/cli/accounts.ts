// accounts create, list, disable, enable.

import * as v from 'valibot';

import { AccountId, Label } from '../contract/account.ts';
import { withWriter } from '../store/writer.ts';
import { Mistake, type Args } from './args.ts';
import { isoTime, showTime, table, type Command } from './command.ts';

/** The commands of accounts, by name. */
export const accounts: Record<string, Command> = {
  'accounts create': {
    summary: 'create an account and print its id',
    takes: 'NAME',
    options: ['database', 'id', 'json'],
    run: async (args) => {
      const name = one(args, 'NAME');
      if (!v.is(Label, name)) throw new Mistake(`NAME takes ${v.getDescription(Label)}.`);
      const id = args.text('id');
      if (id !== undefined && !v.is(AccountId, id)) {
        throw new Mistake('--id takes 1 to 128 letters, digits, ".", "_", "~" or "-".');
      }
      const created = await withWriter(args.need('database'), (writer) =>
        writer.accounts.create({ id, name, created_by: 'command line' }),
      );
      return {
        text: created,
        json: { id: created, name },
        note: `Created the account; "keys create --account ${created}" gives it a key.`,
      };
    },
  },

  'accounts list': {
    summary: 'list the accounts',
    options: ['database', 'json'],
    run: async (args) => {
      none(args);
      const list = await withWriter(args.need('database'), (writer) => writer.accounts.list());
      return {
        text: table(
          ['ID', 'NAME', 'STATE', 'CREATED', 'KEYS', 'MEMORIES'],
          list.map((account) => [
            account.id,
            account.name,
            state(account.disabled_at),
            showTime(account.created_at),
            String(account.keys),
            String(account.memories),
          ]),
        ),
        json: list.map(({ id, name, created_at, disabled_at, keys, memories }) => ({
          id,
          name,
          state: state(disabled_at),
          created_at: isoTime(created_at),
          disabled_at: isoTime(disabled_at),
          keys,
          memories,
        })),
      };
    },
  },

  'accounts disable': setDisabled(true),
  'accounts enable': setDisabled(false),
};

function state(disabled_at: number | null): 'active' | 'disabled' {
  return disabled_at === null ? 'active' : 'disabled';
}

function setDisabled(disabled: boolean): Command {
  return {
    summary: disabled ? 'close an account to all its keys' : 'open an account to its keys again',
    takes: 'ID',
    options: ['database', 'json'],
    run: async (args) => {
      const id = one(args, 'ID');
      await withWriter(args.need('database'), (writer) =>
        writer.accounts.setDisabled(id, disabled),
      );
      const now = disabled ? 'disabled' : 'active';
      return { text: `Account ${id} is ${now}.`, json: { id, state: now } };
    },
  };
}

/** The one word that a command takes. Fails with `Mistake` when there are none or more. */
export function one({ positionals }: Args, what: string): string {
  const [word, ...more] = positionals;
  if (word?.trim() && more.length === 0) return word;
  throw new Mistake(`Give one ${what}${more.length > 0 ? ', in quotes if it has spaces' : ''}.`);
}

/** Fails with `Mistake` when a command that takes no words got some. */
export function none({ positionals }: Args): void {
  if (positionals.length > 0)
    throw new Mistake(`This command takes options only, not "${positionals[0]}".`);
}
