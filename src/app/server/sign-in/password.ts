// Passwords: hashes them with scrypt, two at a time, and compares in the same time whether or not there is one.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import { RateLimited } from '../../../gateway/request/throttle.ts';

/** The cost that OWASP recommends with 32 MiB: 2^15 rounds, three times. */
const COST = { N: 32_768, r: 8, p: 3 } as const;
const MAX_MEMORY = 64 * 1024 * 1024; // Node's default of 32 MiB refuses this cost
const LENGTH = 32;

/** How many hashes run at a time. Each takes 32 MiB and a third of a second of one core. */
const MOST = 2;

/** The hash of no password: random bytes are compared with it if an account has none. */
const NONE = textOf(Buffer.alloc(16), randomBytes(LENGTH));

/** How many wait for their turn, some five seconds: otherwise two strangers would keep everybody out. */
const MOST_WAITING = 32;

/** How many of them come from one address: otherwise one stranger would take all places. */
const MOST_OF_ADDRESS = 2;

/** Hashes passwords, two at a time. Rejects with a 429 if too many wait already. */
export interface Passwords {
  /** Returns the text to store: algorithm, parameters, salt and hash. */
  readonly hash: (password: string) => Promise<string>;
  /** Returns whether a password from an address, if it is known, is the one of a stored text. Takes as long if there is no text. */
  readonly matches: (
    password: string,
    stored: string | undefined,
    address?: string,
  ) => Promise<boolean>;
}

/** Creates the hashing of a gateway. */
export function createPasswords(): Passwords {
  let running = 0;
  const waiting: { readonly address: string | undefined; readonly begin: () => void }[] = [];

  async function derive(
    password: string,
    { cost, salt }: Hashing,
    address?: string,
  ): Promise<Buffer> {
    const own = waiting.filter((each) => address !== undefined && each.address === address);
    if (waiting.length >= MOST_WAITING || own.length >= MOST_OF_ADDRESS)
      throw new RateLimited(1, 'Too many people are signing in with passwords now; try again.');
    if (running < MOST) running++;
    else await new Promise<void>((begin) => waiting.push({ address, begin }));
    try {
      return await deriveKey(password, salt, cost);
    } finally {
      const next = waiting.shift(); // which takes the place of this one
      if (next === undefined) running--;
      else next.begin();
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(16);
      return textOf(salt, await derive(password, { salt, cost: COST }));
    },
    async matches(password, stored, address) {
      const { key, ...hashing } = readText(stored ?? NONE);
      const derived = await derive(password, hashing, address);
      return timingSafeEqual(derived, key) && stored !== undefined;
    },
  };
}

/** Hashes one password for the command line. */
export async function hashPassword(password: string): Promise<string> {
  return createPasswords().hash(password);
}

interface Hashing {
  readonly cost: Cost;
  readonly salt: Buffer;
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  // Keyboards differ in how they compose "é".
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, LENGTH, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function textOf(salt: Buffer, key: Buffer): string {
  const { N, r, p } = COST;
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

function readText(text: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const [, N = '', r = '', p = '', salt = '', key = ''] =
    /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(text) ?? [];
  if (key === '') throw new TypeError('a stored password is not in the form of this program');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}
