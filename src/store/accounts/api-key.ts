// API keys: their form (mem_, 43 random base62 characters, a checksum of 6), and whether a key works.

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'mem_';
const RANDOM = 43;
const CHECKSUM = 6;
const GRAMMAR = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** Creates a key of 256 random bits. `randomInt` is unbiased, so all keys are equally likely. */
export function createApiKey(): string {
  let key = PREFIX;
  for (let i = 0; i < RANDOM; i++) key += ALPHABET[randomInt(ALPHABET.length)];
  return key + checksum(key);
}

/** Returns whether a text has the form and checksum of a key. Others need no look-up. */
export function isApiKey(text: string): boolean {
  return GRAMMAR.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM)));
}

/** Returns the SHA-256 of a key in lower-case hex, the only form in which keys are stored. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

/** The state of a key. Only an active key works. */
export type ApiKeyState = 'active' | 'revoked' | 'expired' | 'disabled';

interface Dates {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
  readonly account_disabled_at: number | null;
}

/** Returns the state of a key at `now`, in milliseconds since 1970. */
export function apiKeyState(key: Dates, now: number): ApiKeyState {
  if (key.revoked_at !== null) return 'revoked'; // at any time
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  if (key.account_disabled_at !== null) return 'disabled';
  return 'active';
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
