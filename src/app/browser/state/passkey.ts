// Passkeys in the browser: creates one, and signs in with one. Bytes travel as base64url.

import type { InferInput, InferOutput } from 'valibot';

import type { appRoutes } from '../../contract/app-routes.ts';
import { APP_NAME, isSecure } from './base.ts';
import { app } from './session.ts';

type NewPasskey = InferInput<typeof appRoutes.passkeys.create.input>;
type Challenge = InferOutput<typeof appRoutes.challenges.create.output>;

/** The algorithms that the gateway can check: ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257] as const;

/** Whether this browser has passkeys at this address. */
export const hasPasskeys = isSecure && 'PublicKeyCredential' in globalThis;

/** Asks the browser for a new passkey. Rejects with a `DOMException` if the reader declines. */
export async function createPasskey(label: string): Promise<NewPasskey | undefined> {
  const { challenge, rp_id, user, passkeys } = await app.challenges.create();
  if (user === null) return undefined;
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64Url(challenge),
      rp: { id: rp_id, name: APP_NAME },
      user: { id: fromBase64Url(user.handle), name: user.name, displayName: user.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: passkeys.map((id) => ({ type: 'public-key', id: fromBase64Url(id) })),
    },
  });
  if (!(credential instanceof PublicKeyCredential)) return undefined;
  const response = credential.response as AuthenticatorAttestationResponse;
  const key = response.getPublicKey();
  const algorithm = ALGORITHMS.find((each) => each === response.getPublicKeyAlgorithm());
  if (key === null || algorithm === undefined) return undefined;
  return {
    label,
    id: toBase64Url(credential.rawId),
    client_data: toBase64Url(response.clientDataJSON),
    authenticator_data: toBase64Url(response.getAuthenticatorData()),
    public_key: toBase64Url(key),
    algorithm,
  };
}

/** Asks the browser for a passkey, and signs in with it. */
export async function signInWithPasskey(only_this_time: boolean): Promise<void> {
  const { challenge, rp_id }: Challenge = await app.challenges.create();
  const credential = await navigator.credentials.get({
    publicKey: { challenge: fromBase64Url(challenge), rpId: rp_id, userVerification: 'required' },
  });
  if (!(credential instanceof PublicKeyCredential)) return;
  const response = credential.response as AuthenticatorAssertionResponse;
  await app.sessions.create({
    way: 'passkey',
    id: toBase64Url(credential.rawId),
    client_data: toBase64Url(response.clientDataJSON),
    authenticator_data: toBase64Url(response.authenticatorData),
    signature: toBase64Url(response.signature),
    only_this_time,
  });
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.codePointAt(0) ?? 0);
}

function toBase64Url(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
