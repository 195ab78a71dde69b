// grants list and revoke: the OAuth clients that owners have connected in the app.

import { toJsonRecord } from '../../../lib/time.ts';
import type { AppStore } from '../../../store/app/app-store.ts';
import type { GrantRecord } from '../../../store/app/connect/connect-store.ts';
import { COMMAND_LINE } from '../../../store/app/log.ts';
import { Refusal } from '../../../store/refusal.ts';
import { NO_SCOPE } from '../../../store/scope.ts';
import { idOfNamed } from '../../args/account.ts';
import { oneArgument, type Args } from '../../args/args.ts';
import { withAppStore, withWriter } from '../../args/database.ts';
import { formatScope } from '../../args/scope.ts';
import type { Command, CommandGroup } from '../../command.ts';
import { formatTable, formatTime } from '../../output/text.ts';

/** The group of these commands. */
export const grantGroup: CommandGroup = {
  summary: 'List and revoke connected OAuth clients, such as claude.ai',
  about:
    'A client is connected when the owner of an account allows it in the web app. That needs "serve --connect".',
};

/** The commands for grants, by name. */
export const grantCommands: Record<string, Command> = {
  'grants list': {
    summary: 'List connected clients and their last use',
    about: 'Shows grants that have not expired. The last use is at most a minute late.',
    options: ['database', 'account', 'json'],
    overrides: { account: { help: 'List only the grants of this account', unset: 'all accounts' } },
    examples: [['The clients of one account', 'memory-gateway grants list --account mira']],
    run: async (args) => {
      const grants = await withAppStore(args.need('database'), (store) => listGrants(args, store));
      return {
        text: formatTable(grants, {
          ID: ({ id }) => id,
          ACCOUNT: ({ account_id }) => account_id,
          CLIENT: ({ client_name }) => client_name,
          REDIRECT: ({ redirect_host }) => redirect_host,
          READS: ({ scope }) => formatScope(scope ?? NO_SCOPE),
          CREATED: ({ created_at }) => formatTime(created_at),
          EXPIRES: ({ expires_at }) => formatTime(expires_at),
          'LAST USED': ({ last_used_at }) => formatTime(last_used_at),
        }),
        json: grants.map(({ scope = NO_SCOPE, ...grant }) => toJsonRecord({ ...grant, ...scope })),
      };
    },
  },

  'grants revoke': {
    summary: 'Revoke a grant: its client stops working at once',
    takes: 'ID',
    options: ['database', 'json'],
    examples: [
      [
        'Revoke a grant by its id, which "grants list" shows',
        'memory-gateway grants revoke 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071',
      ],
    ],
    run: async (args) => {
      const id = oneArgument(args, 'ID');
      const revoked = await withAppStore(args.need('database'), async ({ grants }) => {
        const found = await grants.get(id);
        return found !== undefined && grants.revoke({ ...found, agent: COMMAND_LINE });
      });
      if (!revoked)
        throw new Refusal(`There is no grant ${id}; "memory-gateway grants list" shows the ids.`);
      return { text: `Grant ${id} is revoked.`, json: { id, state: 'revoked' } };
    },
  },
};

async function listGrants(args: Args, { grants }: AppStore): Promise<GrantRecord[]> {
  const account = await idOfNamed(args);
  const ids =
    account === undefined
      ? await withWriter(args, async ({ accounts }) => (await accounts.list()).map(({ id }) => id))
      : [account];
  const found: GrantRecord[] = [];
  for (const id of ids) found.push(...(await grants.list(id)));
  return found;
}
