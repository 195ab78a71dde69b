// grants list and revoke: the OAuth clients that owners have connected in the app.

import type { AppStore } from '../../../store/app/app-store.ts';
import type { GrantRecord } from '../../../store/app/connect/connect-store.ts';
import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import { idOfAccount } from '../../args/account.ts';
import { noArguments, oneArgument, type Args } from '../../args/args.ts';
import { formatScope } from '../../args/scope.ts';
import type { Command, CommandGroup } from '../../command.ts';
import { formatTable, formatTime, toIsoTime } from '../../output/text.ts';

const AGENT = 'command line';

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
      noArguments(args);
      const grants = await withStore(args, (store) => listGrants(args, store));
      return {
        text: formatTable(
          ['ID', 'ACCOUNT', 'CLIENT', 'REDIRECT', 'READS', 'CREATED', 'EXPIRES', 'LAST USED'],
          grants.map((grant) => [
            grant.id,
            grant.account_id,
            grant.client_name,
            grant.redirect_host,
            grant.scope === undefined ? 'all' : formatScope(grant.scope),
            formatTime(grant.created_at),
            formatTime(grant.expires_at),
            formatTime(grant.last_used_at),
          ]),
        ),
        json: grants.map(toJson),
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
      const revoked = await withStore(args, async ({ grants }) => {
        const found = await grants.get(id);
        return found !== undefined && grants.revoke({ ...found, agent: AGENT });
      });
      if (!revoked)
        throw new Refusal(`There is no grant ${id}; "memory-gateway grants list" shows the ids.`);
      return { text: `Grant ${id} is revoked.`, json: { id, state: 'revoked' } };
    },
  },
};

async function listGrants(args: Args, { grants }: AppStore): Promise<GrantRecord[]> {
  const account = args.text('account');
  const ids =
    account === undefined
      ? await engineOf(args.need('database')).withWriter(async ({ accounts }) =>
          (await accounts.list()).map(({ id }) => id),
        )
      : [await idOfAccount(args, account)];
  const found: GrantRecord[] = [];
  for (const id of ids) found.push(...(await grants.list(id)));
  return found;
}

async function withStore<T>(args: Args, work: (store: AppStore) => T | Promise<T>): Promise<T> {
  const store = await engineOf(args.need('database')).openApp();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function toJson({ scope, ...grant }: GrantRecord) {
  return {
    ...grant,
    reads: scope?.reads ?? 'all',
    started_after: toIsoTime(scope?.started_after ?? null),
    started_before: toIsoTime(scope?.started_before ?? null),
    created_at: toIsoTime(grant.created_at),
    expires_at: toIsoTime(grant.expires_at),
    last_used_at: toIsoTime(grant.last_used_at),
  };
}
