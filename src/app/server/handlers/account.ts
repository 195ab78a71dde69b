// Handlers about the account: who is signed in, the ways to sign in, the log, and how agents are connected.

import { versions } from 'node:process';

import type * as v from 'valibot';

import { clients, configurationOf, clientTitle } from '../../../agents/clients/configuration.ts';
import { Failure } from '../../../contract/failure.ts';
import { ADDED_BY_PROXIES } from '../../../gateway/request/transport.ts';
import { isLoopback } from '../../../lib/loopback.ts';
import { toIsoTime } from '../../../lib/time.ts';
import type { EventRecord } from '../../../store/app/app-store.ts';
import { VERSION } from '../../../version.ts';
import { KEY_PLACEHOLDER, type Ways } from '../../contract/records.ts';
import { SAMPLE_IDS } from '../../samples.ts';
import { toSession, toTime } from '../app-json.ts';
import { commandOf, requireWriting } from '../app-parts.ts';
import type { AppCall, AppHandlers } from '../call.ts';
import { readHues } from '../hues.ts';
import { programSetups } from '../programs.ts';
import { allowsPasskeys } from '../request/address.ts';
import { CLEAR_CACHE, removeCookie } from '../sign-in/cookie.ts';
import { freshUntil, requireFresh } from '../sign-in/fresh.ts';
import { signedOut, type Reader } from '../sign-in/reader.ts';

const ANOTHER_NAME = new Failure(
  422,
  'This is another name, so nothing was deleted; type that of the account.',
);

/** The handlers about the account. */
export const accountHandlers: Pick<AppHandlers, 'me' | 'ways' | 'events' | 'agents'> = {
  me: {
    async get(call) {
      const { app, store, address, reader } = call;
      const found = await findAccount(call);
      const can_write = await store.canWrite();
      return {
        output: {
          account: { id: found.id, name: found.name },
          session: reader.session && toSession(reader.session, reader.session),
          api_url: address.apiUrl,
          connect_url: app.connector?.url ?? null,
          can_write,
          can_import: app.imports !== undefined && can_write,
          start_command: app.startCommand ?? null,
          can_share: app.shares === true && can_write,
          can_listen: app.gateway.audio?.(found.id) !== undefined,
          hues: await readHues(app, found.id),
          has_samples: await store.accounts.hasIdPrefix(found.id, SAMPLE_IDS),
          bin_days: can_write ? (app.changes?.binDays ?? null) : null,
          records_last_use: can_write,
          records_reads: can_write && app.keyLog === true,
          ways: await waysOf(call),
          has_password: (await store.passwords.get(found.id)) !== undefined,
          fresh_until: toIsoTime(freshUntil(reader, app.gateway.now())),
          sign_out_url: reader.session === null ? (app.signOutUrl ?? null) : null,
          kept: (isAtMachine(call) && app.kept?.()) || null,
          versions: { gateway: VERSION, node: versions.node, database: app.database() },
        },
      };
    },
    async erase(call) {
      const { app, address, reader, agent, input } = call;
      const changes = requireWriting(app, 'changes', 'accounts delete');
      const { account_id } = requireFresh(reader, app.gateway.now());
      const check = async () => {
        if (input.name.trim() !== (await findAccount(call)).name.trim()) throw ANOTHER_NAME;
      };
      await check();
      await app.imports?.removeAll(account_id); // a running import would write on
      await changes.make({ account_id, agent, does: 'erase-account', ids: [] }, check);
      return { output: null, headers: [...removeCookie(address), ...CLEAR_CACHE] };
    },
  },
  ways: {
    get: async (call) => ({ output: await waysOf(call) }),
  },
  events: {
    list: async ({ store, reader }) => ({
      output: (await store.events.list(reader.account_id)).map(toEvent),
    }),
  },
  agents: {
    // The page puts a new key in, so that no response has it a second time.
    list: ({ app, address }) => {
      const url = address.apiUrl.replace(/\/v1$/, '');
      // Where the program is on another machine is not known.
      const program = isLoopback(address.hostname) ? app.program : undefined;
      const assistants = clients.flatMap((client) => {
        const found = configurationOf(client, { url, key: KEY_PLACEHOLDER, program });
        if (found === undefined) return [];
        const { place, text, afterwards = null } = found;
        const named = { client: clientTitle(client), kind: 'assistant', reads: 'all' } as const;
        return [{ ...named, place, text, afterwards }];
      });
      return { output: [...assistants, ...programSetups(address.apiUrl)] };
    },
  },
};

/** Finds the account of the caller. Rejects with a 401 if it is gone. */
export async function findAccount({
  store,
  reader: { account_id },
}: Pick<AppCall<unknown, Reader>, 'store' | 'reader'>) {
  const found = await store.accounts.find(account_id);
  // An account may have the name of another's id.
  if (found?.id !== account_id) throw signedOut();
  return found;
}

/** Returns which ways exist at an address. It never tells which accounts there are. */
async function waysOf(
  call: AppCall<unknown, Reader | undefined>,
): Promise<v.InferOutput<typeof Ways>> {
  const { app, store, address } = call;
  const commands = commandsFor(call);
  if (app.accountOf !== undefined)
    return { passkey: false, password: false, asks_name: false, ...commands };
  const { count } = await store.accounts.count();
  return {
    passkey: allowsPasskeys(address),
    password: await store.passwords.isUsed(),
    asks_name: count !== 1,
    ...commands,
  };
}

/** What a proxy adds, which may be on this machine for callers elsewhere. */
const FORWARDED = [...ADDED_BY_PROXIES, 'x-real-ip'];

/**
 * Returns the beginning and the end of commands. Where the program and the database are is told on this machine alone,
 * because only there people can paste the command.
 */
function commandsFor(
  call: AppCall<unknown, Reader | undefined>,
): Pick<v.InferOutput<typeof Ways>, 'command' | 'database_option'> {
  const { app } = call;
  return (
    (isAtMachine(call) ? app.here : undefined) ?? { command: commandOf(app), database_option: '' }
  );
}

/** Whether a browser of this machine asks. */
function isAtMachine({
  address,
  request: { peer = '', headers },
}: Pick<AppCall<unknown, unknown>, 'address' | 'request'>): boolean {
  return (
    isLoopback(address.hostname) &&
    /^(?:127\.|::1$|::ffff:127\.)/.test(peer) &&
    !FORWARDED.some((name) => headers.has(name))
  );
}

/** Formats an entry of the log. */
function toEvent({ at, ...event }: EventRecord) {
  return { ...event, at: toTime(at) };
}
