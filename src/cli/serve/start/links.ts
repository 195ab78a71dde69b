// Sign-in links for the person at this machine, and the browser that opens them.

import { spawn } from 'node:child_process';
import { platform } from 'node:process';

import { COMMAND_LINE } from '../../../store/app/log.ts';
import { withAppStore } from '../../args/database.ts';
import { signInLink } from '../../commands/accounts/sign-in.ts';
import { reachableHost } from '../../commands/healthcheck.ts';
import type { Context, Environment } from '../../context.ts';
import type { ServeOptions } from '../listen/listen.ts';

/** Returns the URL for a client on this machine: nobody connects to 0.0.0.0. */
export function localUrl(url: string): string {
  const [, host = '', port = ''] = /^http:\/\/\[?(.*?)\]?:(\d+)$/.exec(url) ?? [];
  const local = reachableHost(host);
  if (local === host) return url;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
}

/** Creates the secret of a sign-in link. */
export function createLinkSecret(database: string, account_id: string): Promise<string> {
  return withAppStore(
    database,
    async ({ links }) => (await links.create(account_id, COMMAND_LINE)).secret,
  );
}

/**
 * Creates a sign-in link if the database has one account, and nobody has ever signed in to it. `url` is where
 * the server listens. Rejects with `Refusal`.
 */
export function firstSignInLink(
  url: string,
  { database, baseUrl = '' }: Pick<ServeOptions, 'database' | 'baseUrl'>,
): Promise<string | undefined> {
  const address = /^https?:/i.test(baseUrl) ? baseUrl : localUrl(url) + baseUrl;
  return withAppStore(database, async (store) => {
    const { count, first } = await store.accounts.count();
    if (first === undefined || count > 1 || !(await store.canWrite())) return undefined;
    if ((await store.events.list(first.id)).length > 0) return undefined;
    return signInLink(address, (await store.links.create(first.id, COMMAND_LINE)).secret);
  });
}

/**
 * Opens an address in a browser, unless there is no terminal or no screen here. If it fails, nothing happens,
 * because the address is printed as well. Other users of the machine can see it for a moment among the processes.
 */
export function openBrowser(address: string, { stdout, env }: Context): void {
  const [command, ...args] = browserOf(env);
  if (!stdout.isTTY || command === undefined) return;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Returns the command that opens addresses. Empty if there is no screen. */
function browserOf(env: Environment): readonly string[] {
  if (env['SSH_CONNECTION'] !== undefined) return [];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  return hasScreen ? ['xdg-open'] : [];
}
