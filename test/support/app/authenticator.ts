// An authenticator in software: creates passkeys and signs with them, as a phone or a security key does.

import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto';

/** The algorithms, by their COSE number. */
export type Algorithm = -7 | -8 | -257;

/** What differs from an honest ceremony. */
export interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  readonly type?: string;
  /** User present, user verified. Default: both. */
  readonly flags?: number;
  readonly signCount?: number;
  readonly crossOrigin?: boolean;
}

/** Creates a passkey. */
export function createPasskey(algorithm: Algorithm = -7) {
  const { privateKey, publicKey } = keyPair(algorithm);
  const id = randomBytes(32);
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  return {
    id: id.toString('base64url'),
    /** The body of a request that adds it. */
    register(ceremony: Ceremony, label = 'Phone') {
      const attested = Buffer.concat([Buffer.alloc(16), lengthOf(id), id]);
      return {
        label,
        id: id.toString('base64url'),
        client_data: clientData(ceremony, 'webauthn.create').toString('base64url'),
        authenticator_data: Buffer.concat([headOf(ceremony, 0x40), attested]).toString('base64url'),
        public_key,
        algorithm,
      };
    },
    /** The body of a request that signs in. */
    assert(ceremony: Ceremony) {
      const client = clientData(ceremony, 'webauthn.get');
      const data = headOf(ceremony, 0);
      const signed = Buffer.concat([data, hash('sha256', client, 'buffer')]);
      const signature = sign(algorithm === -8 ? null : 'sha256', signed, privateKey);
      return {
        way: 'passkey',
        id: id.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
}

function keyPair(algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (algorithm === -8) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function clientData(
  { challenge, origin, type, crossOrigin = false }: Ceremony,
  own: string,
): Buffer {
  return Buffer.from(JSON.stringify({ type: type ?? own, challenge, origin, crossOrigin }));
}

function headOf({ rpId, flags = 0x05, signCount = 0 }: Ceremony, more: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(signCount);
  return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([flags | more]), count]);
}

function lengthOf(id: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return length;
}
