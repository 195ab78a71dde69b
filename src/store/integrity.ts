// Integrity: what is read is checked before it leaves the store, as SQLite has no checksums of its pages.

import { hash } from 'node:crypto';

import { named } from './finding.ts';
import { Refusal } from './refusal.ts';
import { commandOn } from './shell.ts';

/** Which memory of which account; and of one that a list has, where it stands there and by which state it was found. */
export interface Sought {
  readonly account_id: string;
  readonly id: string;
  readonly started_at?: number;
  readonly is_processing?: boolean | undefined;
}

/** How far the facts of a memory reach, unless its name is longer: to look there first takes half the time. */
const HEAD = 512;

const STARTED_AT = '"started_at":"';

/** Tells whether bytes, which a damaged row may have none of, have a hash. */
export function hasHash(bytes: unknown, sha256: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && hash('sha256', bytes) === sha256;
}

/**
 * Tells whether bytes are those that were written, and of the memory that was asked for: a damaged
 * index, or a column that says something else than its memory, leads to a row that is whole, but
 * another's, or in a wrong place. A key has its quotes bare and a colon behind, as no text in JSON
 * has them.
 */
export function isWhole(bytes: unknown, sha256: unknown, sought: Sought): boolean {
  if (!hasHash(bytes, sha256)) return false;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isOf(all.toString('latin1', 0, HEAD), sought) || isOf(all.toString('latin1'), sought);
}

/** Tells the same of bytes that came as text: to hash the text takes less than to make bytes of it before. */
export function isWholeText(text: string, sha256: unknown, sought: Sought): boolean {
  if (hash('sha256', text) !== sha256) return false;
  return isOf(text.slice(0, HEAD), sought) || isOf(text, sought);
}

function isOf(text: string, { account_id, id, started_at, is_processing }: Sought): boolean {
  return (
    text.includes(`{"id":"${id}",`) &&
    text.includes(`"user_id":"${account_id}",`) &&
    (is_processing === undefined || text.includes(`"is_processing":${is_processing},`)) &&
    (started_at === undefined || startOf(text) === started_at)
  );
}

/** When a memory says that it started: to read a date takes a quarter of the time to write one. */
function startOf(text: string): number {
  const at = text.indexOf(STARTED_AT) + STARTED_AT.length;
  return Date.parse(text.slice(at, text.indexOf('"', at)));
}

/** The refusal to give a memory that is not as it was written. */
export function damaged(path: string, sought: Sought): Refusal {
  return refusal(path, `${named(sought)} is not as it was written`);
}

/** The refusal to tell that a memory is nowhere which the feed of changes has. */
export function lost(path: string, sought: Sought): Refusal {
  return refusal(path, `${named(sought)} is missing, though the feed of changes has it`);
}

/** The refusal to let a key open an account whose keys it is not among. */
export function misled(path: string, account_id: string): Refusal {
  return refusal(path, `A key says it is of account ${account_id}, whose keys have no such`);
}

/** The refusal to give a list whose index has not all of it, or not in order. */
export function disordered(path: string, account_id: string): Refusal {
  return refusal(path, `The memories of account ${account_id} are not all found in their order`);
}

function refusal(path: string, what: string): Refusal {
  const command = commandOn(path, 'verify');
  return new Refusal(`${what}; find what is damaged with: ${command}`, { trouble: 'damaged' });
}
