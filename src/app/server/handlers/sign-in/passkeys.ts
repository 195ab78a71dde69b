// Handlers of passkeys: the challenge, a new one, names, removal, and the sign-in.

import { hash } from 'node:crypto';

import { Failure } from '../../../../contract/failure.ts';
import { createLimit, type PerMinute } from '../../../../gateway/request/throttle.ts';
import { toJsonRecord } from '../../../../lib/time.ts';
import type { AppAccount } from '../../../../store/app/app-store.ts';
import type { AppContext } from '../../app-parts.ts';
import { DONE, type GroupOf } from '../../call.ts';
import { allowsPasskeys, type Address } from '../../request/address.ts';
import { requireFresh } from '../../sign-in/fresh.ts';
import { unauthorized } from '../../sign-in/reader.ts';
import {
  challengeOf,
  checkCeremony,
  isPublicKey,
  isSigned,
  type CeremonyRequirements,
} from '../../sign-in/webauthn.ts';
import type { SignInCallOf } from './sessions.ts';

const NO_PASSKEY = 'There is no passkey with this id in your account; reload the list.';
const UNKNOWN =
  'This passkey does not open an account here; sign in in another way, and add it in Settings.';
const BAD =
  'The passkey could not be verified at this address; try again, with the fingerprint, face or PIN of the device.';

/**
 * How many challenges an address gets if nobody is signed in. There is no limit for all together, with
 * which strangers could keep everybody from signing in: the store drops the oldest ones instead.
 */
const PER_MINUTE: PerMinute = {
  most: 30,
  detail: 'Too many sign-ins are being started; try again in a minute.',
};

/** Creates the handlers of an app. */
export function createPasskeyHandlers({ gateway }: AppContext) {
  const limitStranger = createLimit(PER_MINUTE);

  const challenges: GroupOf<'challenges'> = {
    create: async ({ store, request, address, reader }) => {
      if (!allowsPasskeys(address)) throw notHere();
      const rp_id = address.hostname;
      if (reader === undefined || reader.session === null) {
        limitStranger(gateway.clientIp(request));
        const challenge = await store.challenges.create(null);
        return { output: { challenge, rp_id, user: null, passkeys: [] } };
      }
      const { account_id } = reader;
      const challenge = await store.challenges.create(account_id);
      const found = await store.accounts.find(account_id);
      const own = await store.passkeys.list(account_id);
      const user = { handle: handleOf(account_id), name: found?.name ?? account_id };
      return { output: { challenge, rp_id, user, passkeys: own.map(({ id }) => id) } };
    },
  };

  const passkeys: GroupOf<'passkeys'> = {
    list: async ({ store, reader }) => ({
      output: (await store.passkeys.list(reader.account_id)).map(toJsonRecord),
    }),

    create: async ({ store, address, reader, agent, input }) => {
      const { account_id } = requireFresh(reader, gateway.now());
      const { id, label, public_key, algorithm } = input;
      const challenge = await store.challenges.use(challengeOf(input) ?? '');
      const data = checkCeremony(input, expected('webauthn.create', address));
      const isGood = challenge?.account_id === account_id && data?.credentialId === id;
      if (data === undefined || !isGood || !isPublicKey(public_key, algorithm))
        throw new Failure(422, BAD);
      const sign_count = data.signCount;
      const passkey = { id, account_id, label, public_key, algorithm, sign_count, agent };
      const added = await store.passkeys.add(passkey);
      if (added === undefined) throw new Failure(409, 'This passkey was added before.');
      return { output: toJsonRecord(added) };
    },

    relabel: async ({ store, reader, input: { id, label } }) => {
      const changed = await store.passkeys.relabel({ account_id: reader.account_id, id, label });
      if (changed === undefined) throw new Failure(404, NO_PASSKEY);
      return { output: toJsonRecord(changed) };
    },

    remove: async ({ store, reader, agent, input: { id } }) => {
      const isRemoved = await store.passkeys.remove({ account_id: reader.account_id, id, agent });
      if (!isRemoved) throw new Failure(404, NO_PASSKEY);
      return DONE;
    },
  };

  return { challenges, passkeys };
}

/** Returns the handle by which a device knows an account: up to 64 bytes (§5.4.3), and an id may be longer. */
function handleOf(account_id: string): string {
  const id = Buffer.from(account_id);
  return (id.length > 64 ? hash('sha256', id, 'buffer') : id).toString('base64url');
}

/** Signs in with a passkey. Rejects with a 401. */
export async function signInByPasskey({
  store,
  address,
  input,
}: SignInCallOf<'passkey'>): Promise<AppAccount> {
  const challenge = await store.challenges.use(challengeOf(input) ?? '');
  const found = await store.passkeys.find(input.id);
  if (found === undefined) throw unauthorized(UNKNOWN);
  const data = checkCeremony(input, expected('webauthn.get', address));
  const isForAccount =
    challenge !== undefined && (challenge.account_id ?? found.account_id) === found.account_id;
  if (data === undefined || !isForAccount || !isSigned(found, input, input.signature))
    throw unauthorized(BAD);
  // A counter that does not grow is that of a copy (§7.2 step 21). Many authenticators have none.
  const { signCount } = data;
  const isCopy = (signCount > 0 || found.sign_count > 0) && signCount <= found.sign_count;
  if (isCopy || !(await store.passkeys.used(found.id, signCount))) throw unauthorized(BAD);
  return found.account;
}

function expected(type: CeremonyRequirements['type'], address: Address): CeremonyRequirements {
  if (!allowsPasskeys(address)) throw notHere();
  return { type, origin: address.origin, rpId: address.hostname };
}

function notHere(): Failure {
  return new Failure(
    403,
    'Passkeys need https and a host name, or localhost; open the app at such an address.',
  );
}
