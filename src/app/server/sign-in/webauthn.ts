// Passkeys (WebAuthn level 2): verifies new ones and the signatures of sign-ins, without attestation.

import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';

import * as v from 'valibot';

/** What a browser sends about a passkey, each as base64url. */
export interface Ceremony {
  readonly client_data: string;
  readonly authenticator_data: string;
}

/** What a ceremony must be about. */
export interface CeremonyRequirements {
  readonly type: 'webauthn.create' | 'webauthn.get';
  readonly origin: string;
  readonly rpId: string;
}

const ClientData = v.object({
  type: v.string(),
  challenge: v.string(),
  origin: v.string(),
  crossOrigin: v.optional(v.boolean(), false),
});

/** Returns the challenge that a ceremony has signed. Undefined if it cannot be read. */
export function challengeOf({ client_data }: Ceremony): string | undefined {
  return readClientData(client_data)?.challenge;
}

function readClientData(client_data: string): v.InferOutput<typeof ClientData> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(client_data, 'base64url').toString('utf8'));
    const checked = v.safeParse(ClientData, parsed);
    return checked.success ? checked.output : undefined;
  } catch {
    return undefined;
  }
}

/** What an authenticator says. */
export interface AuthenticatorData {
  readonly signCount: number;
  /** The id of the new passkey. Undefined for a sign-in. */
  readonly credentialId: string | undefined;
}

/**
 * Checks the type, origin and authenticator data of a ceremony: it is for our name, and a person was present and
 * verified. Returns undefined if it is not (§7.1 steps 7 to 15, §7.2 steps 11 to 17). The challenge is checked by
 * using it.
 */
export function checkCeremony(
  ceremony: Ceremony,
  { type, origin, rpId }: CeremonyRequirements,
): AuthenticatorData | undefined {
  const client = readClientData(ceremony.client_data);
  if (client?.type !== type || client.origin !== origin || client.crossOrigin) return undefined;
  const data = Buffer.from(ceremony.authenticator_data, 'base64url');
  if (data.length < HEAD_BYTES) return undefined;
  const isOurs = data.subarray(0, 32).equals(hash('sha256', rpId, 'buffer'));
  const flags = data[32] ?? 0;
  if (!isOurs || (flags & PRESENT) === 0 || (flags & VERIFIED) === 0) return undefined;
  return { signCount: data.readUInt32BE(33), credentialId: credentialIdIn(data, flags) };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;
/** The hash of the name, the flags and the counter. */
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;

function credentialIdIn(data: Buffer, flags: number): string | undefined {
  const start = HEAD_BYTES + AAGUID_BYTES;
  if ((flags & ATTESTED) === 0 || data.length < start + 2) return undefined;
  const length = data.readUInt16BE(start);
  const id = data.subarray(start + 2, start + 2 + length);
  return id.length === length ? id.toString('base64url') : undefined;
}

/** Returns whether a public key is one of its algorithm: ES256, EdDSA or RS256. */
export function isPublicKey(public_key: string, algorithm: number): boolean {
  const key = readKey(public_key);
  if (key === undefined) return false;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (algorithm === ES256) return type === 'ec' && details?.namedCurve === 'prime256v1';
  if (algorithm === EDDSA) return type === 'ed25519';
  return algorithm === RS256 && type === 'rsa' && (details?.modulusLength ?? 0) >= 2048;
}

const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

/** Returns whether a signature is of a passkey, over the data of a ceremony (§7.2 steps 19 and 20). */
export function isSigned(
  { public_key, algorithm }: { readonly public_key: string; readonly algorithm: number },
  ceremony: Ceremony,
  signature: string,
): boolean {
  const key = readKey(public_key);
  if (key === undefined || !isPublicKey(public_key, algorithm)) return false;
  const client = Buffer.from(ceremony.client_data, 'base64url');
  const data = Buffer.from(ceremony.authenticator_data, 'base64url');
  const signed = Buffer.concat([data, hash('sha256', client, 'buffer')]);
  try {
    const digest = algorithm === EDDSA ? null : 'sha256';
    return verify(digest, signed, key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function readKey(public_key: string): KeyObject | undefined {
  try {
    const key = Buffer.from(public_key, 'base64url');
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
