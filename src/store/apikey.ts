// API keys: their form (mem_, 43 random base62 characters, 6 of checksum), and whether one is good.

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'mem_';
const RANDOM = 43;
const CHECKSUM = 6;
const GRAMMAR = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** Makes a new key of 256 random bits; `randomInt` rejects the biased tail, so all are equally likely. */
export function createApiKey(): string {
  let key = PREFIX;
  for (let i = 0; i < RANDOM; i++) key += ALPHABET[randomInt(ALPHABET.length)];
  return key + checksum(key);
}

/** Tells whether a text has the form of a key and its checksum: no look-up is worth making otherwise. */
export function isApiKey(text: string): boolean {
  return GRAMMAR.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM)));
}

/** The SHA-256 of a key in lower-case hex: the only form in which a key is ever kept. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

/** What a key is good for: only an active one opens anything. */
export type ApiKeyState = 'active' | 'revoked' | 'expired' | 'disabled';

interface Dates {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
  readonly account_disabled_at: number | null;
}

/** What a key is good for at `now` (milliseconds since 1970): only an active one opens anything. */
export function apiKeyState(key: Dates, now: number): ApiKeyState {
  if (key.revoked_at !== null) return 'revoked'; // for good, whatever the clock says
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
