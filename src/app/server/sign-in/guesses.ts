// The limit for wrong passwords: an address waits after ten, an account after a hundred, longer each time, but is never locked.

import { hash } from 'node:crypto';

import { RateLimited } from '../../../gateway/request/throttle.ts';
import type { PasswordStore } from '../../../store/app/app-store.ts';

/** How many wrong passwords are free: of an address, or for an account if no address is known. */
const FREE = 10;
/**
 * How many are free for an account from all addresses together (NIST SP 800-63B-4 §3.2.2). Fewer would let a
 * stranger at one address keep the owner at another one waiting.
 */
const FREE_FROM_ALL = 100;
/** After this time without a wrong one, nobody waits. */
const FORGOTTEN_MS = 600_000;
/** A guess that is further ahead is from before the clock was set back. Nobody waits until it is reached. */
const CLOCK_MS = 60_000;
const FIRST_WAIT_MS = 2000;
/** Nobody waits longer than this. An attacker with many addresses can make the owner wait again; links work. */
const MAX_WAIT_MS = 300_000;

/** The subjects whose guesses count. */
export interface Guessing {
  /** The account as it was named. */
  readonly account: string;
  /** The address, if it is known. */
  readonly address: string | undefined;
}

/** Returns the subjects of a guess. */
export function guessing(account: string, ip: string | undefined): Guessing {
  return {
    account: `account:${hash('sha256', account)}`,
    address: ip === undefined ? undefined : `address:${hash('sha256', ip)}`,
  };
}

function subjectsOf({ account, address }: Guessing): string[] {
  return address === undefined ? [account] : [account, address];
}

/** Counts a wrong password. An address starts anew after ten minutes, because many people may share it. */
export async function countWrong(
  passwords: PasswordStore,
  guess: Guessing,
  now: number,
): Promise<void> {
  const { address } = guess;
  if (address !== undefined && now - (await passwords.guesses(address)).last_at > FORGOTTEN_MS)
    await passwords.forgetGuesses([address]);
  await passwords.countGuess(subjectsOf(guess));
}

/**
 * Forgets the wrong passwords of an account after the right one. Not those of the address: who has a password
 * here could use it after every nine guesses at those of others, and never wait.
 */
export async function forgetWrong(passwords: PasswordStore, { account }: Guessing): Promise<void> {
  await passwords.forgetGuesses([account]);
}

/** Rejects with a 429 if the account or the address has to wait. */
export async function checkGuesses(
  passwords: PasswordStore,
  guess: Guessing,
  now: number,
): Promise<void> {
  for (const subject of subjectsOf(guess)) {
    const { count, last_at } = await passwords.guesses(subject);
    const isOfAll = subject === guess.account && guess.address !== undefined;
    const over = count - (isOfAll ? FREE_FROM_ALL : FREE);
    if (over < 0 || now - last_at > FORGOTTEN_MS || last_at - now > CLOCK_MS) continue;
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** over, MAX_WAIT_MS);
    const leftMs = last_at + waitMs - now;
    if (leftMs > 0) {
      const seconds = Math.min(Math.ceil(leftMs / 1000), MAX_WAIT_MS / 1000);
      throw new RateLimited(
        seconds,
        `Too many wrong passwords; wait ${seconds} seconds, or sign in by a link.`,
      );
    }
  }
}
