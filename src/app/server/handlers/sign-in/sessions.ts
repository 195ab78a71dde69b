// Handlers of sessions, sign-in links and the first visit: sign in, list devices, end sessions.

import type * as v from 'valibot';

import { Failure } from '../../../../contract/failure.ts';
import type { AppAccount, NewSession } from '../../../../store/app/app-store.ts';
import { Refusal } from '../../../../store/refusal.ts';
import type { appRoutes } from '../../../contract/app-routes.ts';
import { toSession, toTime } from '../../app-json.ts';
import { DONE, type AppCall, type AppHandlers, type CallOf } from '../../call.ts';
import { CLEAR_CACHE, removeCookie, setCookie } from '../../sign-in/cookie.ts';
import { isRecent } from '../../sign-in/fresh.ts';
import { createQrCode } from '../../sign-in/qr-code.ts';
import { unauthorized, type Reader } from '../../sign-in/reader.ts';

type SignInCall = CallOf<typeof appRoutes.sessions.create>;
type SignInInput = v.InferOutput<typeof appRoutes.sessions.create.input>;

/** A sign-in in one way. */
export type SignInCallOf<W extends SignInInput['way']> = Omit<SignInCall, 'input'> & {
  readonly input: Extract<SignInInput, { way: W }>;
};

/** The ways to sign in that are implemented elsewhere. Each returns the account or rejects with a 401. */
export interface SignInWays {
  readonly signInByPassword: (call: SignInCallOf<'password'>) => Promise<AppAccount>;
  readonly signInByPasskey: (call: SignInCallOf<'passkey'>) => Promise<AppAccount>;
}

const USED_LINK =
  'This sign-in link does not work: it was used already, or it is older than 10 minutes. Create a new one on the computer that has the memories, or on a device that is signed in.';

const USED_CLAIM =
  'This link does not work: it was used already, or the gateway was started again. Open the link that the gateway printed last.';

/** Creates the handlers of sessions and links. */
export function createSessionHandlers(
  ways: SignInWays,
): Pick<AppHandlers, 'claims' | 'links' | 'sessions'> {
  return {
    claims: {
      look: ({ app, input: { secret } }) => {
        if (app.claim?.look(secret) !== true) throw unauthorized(USED_CLAIM);
        return DONE;
      },
      // The page signs in with the new link, as with any other.
      create: async ({ app, store, agent, input: { secret, name } }) => {
        const account_id = await app.claim?.take(secret, name);
        if (account_id === undefined) throw unauthorized(USED_CLAIM);
        return { output: { secret: (await store.links.create(account_id, agent)).secret } };
      },
    },

    links: {
      create: async ({ app, store, address, reader, agent, input: { page } }) => {
        // Nobody is led to another site by a code that this gateway has made.
        const isOurs = (at: string) => page === `${at}/app/sign-in`;
        const isHere = page?.startsWith(`${address.origin}/`) ?? true;
        if (!isHere && app.addresses?.().some(isOurs) !== true)
          throw new Failure(422, 'The property "page" takes the address of the sign-in page here.');
        // A browser that was left open can sign another one in, but not make its sign-in fresh. When a proxy
        // has signed somebody in, nobody here knows.
        const signed_in_at = reader.session?.signed_in_at ?? 0;
        const { secret, expires_at } = await store.links.create(
          reader.account_id,
          agent,
          signed_in_at,
        );
        const qr_code = page === undefined ? null : await createQrCode(`${page}#${secret}`);
        return { output: { secret, expires_at: toTime(expires_at), qr_code } };
      },
      look: async ({ app, store, input: { secret } }) => {
        const found = await store.links.look(secret);
        if (found === undefined) throw unauthorized(USED_LINK);
        const { account, signed_in_at, expires_at } = found;
        const now = app.gateway.now();
        const can_add_way =
          isRecent(signed_in_at ?? now, now) &&
          (await store.passwords.get(account.id)) === undefined &&
          (await store.passkeys.list(account.id)).length === 0;
        return { output: { name: account.name, expires_at: toTime(expires_at), can_add_way } };
      },
    },

    sessions: {
      create: async (call) => {
        const { input } = call;
        if (input.way === 'password')
          return startSession(call, await ways.signInByPassword({ ...call, input }));
        if (input.way === 'passkey')
          return startSession(call, await ways.signInByPasskey({ ...call, input }));
        const used = await call.store.links.use(input.secret);
        if (used === undefined) throw unauthorized(USED_LINK);
        return startSession(call, used.account, used.signed_in_at);
      },

      list: async ({ store, reader }) => ({
        output: (await store.sessions.list(reader.account_id)).map((each) =>
          toSession(each, reader.session),
        ),
      }),

      end: async ({ store, address, reader, agent, input }) => {
        const { account_id, session } = reader;
        const id = input.id === 'current' ? (session?.id ?? '') : input.id;
        if (!(await store.sessions.end({ account_id, id, agent })))
          throw new Failure(404, 'There is no session with this id; reload the list.');
        if (id !== session?.id) return DONE;
        return { output: null, headers: [...removeCookie(address), ...CLEAR_CACHE] };
      },

      endOthers: async ({ store, reader, agent }) => {
        await store.sessions.endAll({
          account_id: reader.account_id,
          except: reader.session?.id,
          agent,
        });
        return DONE;
      },
    },
  };
}

/** Gives the browser a new session. The one that it had ends, so that no old cookie keeps working. */
async function startSession(
  call: SignInCall,
  { id: account_id }: AppAccount,
  signed_in_at: number | null = null,
) {
  const { store, address, agent, input, reader } = call;
  const isShort = input.only_this_time;
  const { token } = await createSession(call, { account_id, way: input.way, signed_in_at });
  if (reader !== undefined) await endOld(store, reader, agent);
  return { output: null, headers: setCookie(address, token, isShort) };
}

async function createSession(
  { store, agent, input }: SignInCall,
  session: Pick<NewSession, 'account_id' | 'way' | 'signed_in_at'>,
) {
  try {
    return await store.sessions.create({ ...session, agent, is_short: input.only_this_time });
  } catch (error) {
    // The account was disabled or deleted a moment ago.
    if (error instanceof Refusal && error.code === undefined)
      throw unauthorized('This account is disabled; ask the operator of the gateway.');
    throw error;
  }
}

async function endOld(
  store: AppCall<unknown, unknown>['store'],
  { account_id, session }: Reader,
  agent: string,
): Promise<void> {
  if (session !== null) await store.sessions.end({ account_id, id: session.id, agent });
}
