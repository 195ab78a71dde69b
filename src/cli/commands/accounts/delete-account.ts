// accounts delete: deletes an account and everything in it for good, after its name was typed on a terminal.

import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import { idOfAccount } from '../../args/account.ts';
import { oneArgument } from '../../args/args.ts';
import { UsageError } from '../../args/parse.ts';
import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ask } from '../../output/ask.ts';
import { formatCount, formatName } from '../../output/text.ts';

/** Deletes an account. */
export const accountsDeleteCommand: Command = {
  summary: 'Delete an account and all its memories and keys for good',
  about:
    'Asks for the name of the account if it runs on a terminal; otherwise it needs --yes. There is no way back except a backup. To stop its keys only, disable the account.',
  takes: 'ACCOUNT',
  options: ['database', 'yes', 'json'],
  examples: [
    ['Delete an account, after a question', 'memory-gateway accounts delete mira'],
    ['Delete an account without a question', 'memory-gateway accounts delete mira --yes'],
  ],
  run: async (args, context) => {
    const id = await idOfAccount(args, oneArgument(args, 'ACCOUNT'));
    const engine = engineOf(args.need('database'));
    const { name, memories, keys } = await engine.withWriter(async ({ accounts }) => {
      const found = (await accounts.list()).find((account) => account.id === id);
      return found ?? { name: id, memories: 0, keys: 0 };
    });
    const what = `${formatCount(memories, 'memory', 'memories')} and ${formatCount(keys, 'key', 'keys')}`;
    if (!args.flag('yes')) {
      if (!context.stdin.isTTY || !context.stderr.isTTY)
        throw new UsageError(`This deletes ${what} for good; add --yes if you want that.`);
      await confirm(context, name, what);
    }
    const erased = await engine.withWriter((writer) => writer.eraseAccount(id));
    return {
      text: `Account ${id} is deleted, with ${what}.`,
      json: { id, name, memories, keys, erased },
      ...(erased ? {} : { note: engine.erasureNote }),
    };
  },
};

/** Rejects with `Refusal` unless the name is typed on the terminal. */
async function confirm(context: Context, name: string, what: string): Promise<void> {
  const shown = formatName(name);
  const question = `This deletes ${what} for good. Type the name of the account (${shown}): `;
  if ((await ask(context, question)) !== name.trim())
    throw new Refusal('This is another name; nothing was deleted.');
}
