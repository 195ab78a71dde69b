// sign-in, sign-out and accounts password: how people get into the web app, and out of it.

import { styleText } from 'node:util';

import * as v from 'valibot';

import { Password } from '../../../app/contract/app-inputs.ts';
import { hashPassword } from '../../../app/server/sign-in/password.ts';
import { createQrLines } from '../../../app/server/sign-in/qr-code.ts';
import { isWeakPassword, WEAK_PASSWORD } from '../../../app/server/sign-in/weak-password.ts';
import { shellWord } from '../../../lib/shell.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AppAccount, AppStore } from '../../../store/app/app-store.ts';
import { COMMAND_LINE } from '../../../store/app/log.ts';
import { Refusal } from '../../../store/refusal.ts';
import { idOfAccount, idOfOnly } from '../../args/account.ts';
import { oneArgument, type Args } from '../../args/args.ts';
import { commandLike, withAppStore } from '../../args/database.ts';
import { UsageError } from '../../args/parse.ts';
import { readBaseUrl, readHost, readPort } from '../../args/values.ts';
import type { Command } from '../../command.ts';
import { readSecret } from '../../output/read-secret.ts';
import { appAddresses } from '../../serve/app.ts';

/** The commands of sign-in, by name. */
export const signInCommands = {
  'sign-in': {
    summary: 'Create a sign-in link for the web app',
    about:
      'Prints the link with every address at which a gateway with these options can be reached. It works once, within 10 minutes. Without ACCOUNT, it is for the only account.',
    takes: '[ACCOUNT]',
    options: ['database', 'base-url', 'host', 'port', 'qr', 'json'],
    overrides: {
      host: { help: 'The --host of your gateway' },
      port: { help: 'The --port of your gateway' },
    },
    examples: [
      ['A link for this machine', 'memory-gateway sign-in'],
      [
        'A link for a gateway behind a proxy',
        'memory-gateway sign-in mira --base-url https://a.example',
      ],
      [
        'A code for the camera of a phone in your network',
        'memory-gateway sign-in mira --host 192.168.1.20 --qr',
      ],
    ],
    run: async (args) => {
      const addresses = appAddresses({
        baseUrl: readBaseUrl(args.text('base-url')),
        host: readHost(args.need('host')),
        port: readPort(args.need('port')),
      });
      const scanned = args.flag('qr') ? addressForPhones(addresses) : undefined;
      const { account, secret, expires_at } = await withAccount(args, async (store, found) => ({
        account: found,
        ...(await store.links.create(found.id, COMMAND_LINE)),
      }));
      const links = addresses.map((address) => signInLink(address, secret));
      const minutes = Math.round((expires_at - Date.now()) / MINUTE_MS);
      return {
        text: [...(scanned === undefined ? [] : await drawCode(scanned, secret)), ...links].join(
          '\n',
        ),
        json: { account: account.id, links, expires_at: new Date(expires_at).toISOString() },
        note: `Open ${links.length === 1 ? 'the link' : 'the link that your browser can reach'} to sign in as ${account.name}. It works once, within ${minutes} minutes.`,
      };
    },
  },

  'sign-out': {
    summary: 'End all sessions of an account in the web app',
    about:
      'Also ends sign-in links that were not used. API keys keep working. Without ACCOUNT, it is for the only account.',
    takes: '[ACCOUNT]',
    options: ['database', 'json'],
    examples: [['Sign out all devices of an account', 'memory-gateway sign-out mira']],
    run: async (args) => {
      const { account, ended } = await withAccount(args, async (store, found) => ({
        account: found,
        ended: await store.sessions.endAll({ account_id: found.id, agent: COMMAND_LINE }),
      }));
      const sessions = ended === 1 ? '1 session' : `${ended} sessions`;
      return {
        text: `Ended ${sessions} of ${account.name}.`,
        json: { account: account.id, ended },
      };
    },
  },

  'accounts password': {
    summary: 'Set the password of an account for the web app',
    about:
      'Asks for the password on a terminal, and otherwise reads it from standard input. It has 15 to 1,024 characters.',
    takes: 'ACCOUNT',
    options: ['database', 'json'],
    examples: [
      ['Type a password', 'memory-gateway accounts password mira'],
      ['Take it from a file', 'memory-gateway accounts password mira < password.txt'],
    ],
    run: async (args, context) => {
      const name = oneArgument(args, 'ACCOUNT');
      // Looked up first, so that nobody types a password for nothing.
      const asked = await withAccount(args, (_, found) => found);
      const password = await readSecret(context, `Password for ${name}: `, 'Repeat the password: ');
      if (!v.is(Password, password))
        throw new UsageError('A password takes 15 to 1,024 characters.');
      if (isWeakPassword(password, asked)) throw new UsageError(WEAK_PASSWORD);
      const hash = await hashPassword(password);
      const account = await withAccount(args, async (store, found) => {
        await store.passwords.set({ account_id: found.id, hash, agent: COMMAND_LINE });
        return found;
      });
      return { text: `Set the password of ${account.name}.`, json: { account: account.id } };
    },
  },
} satisfies Record<string, Command>;

/** Returns an address that other devices can open. Throws `UsageError`. */
function addressForPhones(addresses: readonly string[]): string {
  const found = addresses.find(
    (each) => !/^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])[:/]/.test(each),
  );
  if (found === undefined)
    throw new UsageError(
      'A phone cannot open an address of this computer alone; pass --host with the address in your network, or --base-url.',
    );
  return found;
}

/** Light on dark whatever the colours of the terminal are, because not every camera reads a negative. */
async function drawCode(address: string, secret: string): Promise<string[]> {
  const lines = await createQrLines(signInLink(address, secret));
  return lines.map((line) => styleText(['whiteBright', 'bgBlack'], line));
}

/** Returns a sign-in link. The secret is in the fragment, which browsers send to nobody. */
export function signInLink(address: string, secret: string): string {
  return `${address}/app/sign-in#${secret}`;
}

/** Opens the app's store, finds the account of the command line or the only one, and runs `work`. Rejects with `Refusal`. */
async function withAccount<T>(
  args: Args,
  work: (store: AppStore, account: AppAccount) => T | Promise<T>,
): Promise<T> {
  const isNamed = args.positionals.length > 0;
  const name = isNamed ? oneArgument(args, 'ACCOUNT') : await idOfOnly(args);
  return withAppStore(args.need('database'), async (store) =>
    work(store, (await store.accounts.find(name)) ?? (await findByList(args, store, name))),
  );
}

/** Finds an account as the other commands do. Rejects with `Refusal`, which says why nobody can sign in. */
async function findByList(args: Args, store: AppStore, name: string): Promise<AppAccount> {
  const id = await idOfAccount(args, name);
  const account = await store.accounts.find(id);
  if (account !== undefined) return account;
  throw new Refusal(
    `Account ${id} is disabled; enable it with: ${commandLike(args, `accounts enable ${shellWord(id)}`)}`,
  );
}
