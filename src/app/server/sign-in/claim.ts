// The claim of a gateway without an account: whoever has its secret names the first account, once.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Gives the first account to whoever has the secret. It lives as long as the program that made it. */
export interface Claim {
  /** Returns whether a secret would be taken now. */
  readonly look: (secret: string) => boolean;
  /**
   * Creates the account and returns its id: for one caller only, however many try. Undefined if the secret
   * is another one, or was used. If the account cannot be created, the secret still works.
   */
  readonly take: (secret: string, name: string) => Promise<string | undefined>;
}

/** Creates a claim, and its secret in clear: 32 random bytes as base64url. */
export function createClaim(createAccount: (name: string) => Promise<string>): {
  readonly secret: string;
  readonly claim: Claim;
} {
  const secret = randomBytes(32).toString('base64url');
  const expected = digest(secret);
  let isOpen = true;
  const look = (given: string) => isOpen && timingSafeEqual(digest(given), expected);
  const take = async (given: string, name: string) => {
    if (!look(given)) return undefined;
    isOpen = false; // before anything is awaited
    try {
      return await createAccount(name);
    } catch (error) {
      isOpen = true;
      throw error;
    }
  };
  return { secret, claim: { look, take } };
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
