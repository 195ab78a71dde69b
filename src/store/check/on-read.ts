// Integrity check on read: every memory is checked before it leaves the store, because SQLite pages have no checksums.

import { hash } from 'node:crypto';

import { commandOn } from '../address.ts';
import { Refusal } from '../refusal.ts';
import { memoryName } from './findings.ts';

/** The memory that a read should return. In a list, also its position and the state it was filtered by. */
export interface ExpectedMemory {
  readonly account_id: string;
  readonly id: string;
  readonly started_at?: number;
  readonly is_processing?: boolean | undefined;
}

/** Most names are short, so the checked fields lie in the first bytes. Looking there first halves the time. */
const HEAD = 512;

const STARTED_AT = '"started_at":"';

/** Returns whether a value is bytes with this SHA-256. A damaged row may hold anything. */
export function matchesHash(bytes: unknown, sha256: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && hash('sha256', bytes) === sha256;
}

/**
 * Returns whether bytes match their hash and belong to the expected memory. The second check matters
 * because a damaged index can lead to an intact row of another memory or account. Searching the raw
 * text is safe: inside a JSON string the quotes of a key would be escaped.
 */
export function isIntact(bytes: unknown, sha256: unknown, sought: ExpectedMemory): boolean {
  if (!matchesHash(bytes, sha256)) return false;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (
    describes(all.toString('latin1', 0, HEAD), sought) || describes(all.toString('latin1'), sought)
  );
}

/** Like `isIntact`, for drivers that return text. Hashing the text is cheaper than encoding it first. */
export function isIntactText(text: string, sha256: unknown, sought: ExpectedMemory): boolean {
  if (hash('sha256', text) !== sha256) return false;
  return describes(text.slice(0, HEAD), sought) || describes(text, sought);
}

function describes(
  text: string,
  { account_id, id, started_at, is_processing }: ExpectedMemory,
): boolean {
  return (
    text.includes(`{"id":"${id}",`) &&
    text.includes(`"user_id":"${account_id}",`) &&
    (is_processing === undefined || text.includes(`"is_processing":${is_processing},`)) &&
    (started_at === undefined || startOf(text) === started_at)
  );
}

/** Reads `started_at`. Parsing a date takes a quarter of the time of formatting one to compare. */
function startOf(text: string): number {
  const at = text.indexOf(STARTED_AT) + STARTED_AT.length;
  return Date.parse(text.slice(at, text.indexOf('"', at)));
}

/** Creates the refusal for a memory whose bytes have changed since it was written. */
export function damagedMemory(path: string, sought: ExpectedMemory): Refusal {
  return refusal(
    path,
    `${memoryName(sought)} is damaged: its bytes have changed since it was written`,
  );
}

/** Creates the refusal for a memory that the feed lists but the table lacks. A 404 would be wrong. */
export function lostMemory(path: string, sought: ExpectedMemory): Refusal {
  return refusal(path, `${memoryName(sought)} is missing, although the change feed lists it`);
}

/** Creates the refusal for a key whose row names an account that does not own it. */
export function misattributedKey(path: string, account_id: string): Refusal {
  return refusal(path, `A key names account ${account_id}, which does not have that key`);
}

/** Creates the refusal for a list whose index is incomplete or out of order. */
export function brokenOrder(path: string, account_id: string): Refusal {
  return refusal(path, `The list index of account ${account_id} is incomplete or out of order`);
}

/** Creates the refusal for a feed that contradicts itself: a cursor of it would look like one that a restore has undone. */
export function brokenFeed(path: string, account_id: string): Refusal {
  return refusal(path, `The change feed of account ${account_id} is incomplete or out of order`);
}

function refusal(path: string, what: string): Refusal {
  const command = commandOn(path, 'verify');
  return new Refusal(`${what}; find the damage with: ${command}`, { code: 'damaged' });
}
