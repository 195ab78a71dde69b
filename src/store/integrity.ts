// Integrity: what is read is checked before it leaves the store, as SQLite has no checksums of its pages.

import { hash } from 'node:crypto';

import { named } from './finding.ts';
import { Refusal } from './refusal.ts';
import { commandOn } from './shell.ts';

/** What was asked for: a memory of an account and, in a list, its place there and its state. */
export interface Sought {
  readonly account_id: string;
  readonly id: string;
  readonly started_at?: number | undefined;
  readonly is_processing?: boolean | undefined;
}

/** How far the facts of a memory reach, unless its name is longer. */
const HEAD = 512;

/**
 * Tells whether bytes are those that were written, and of the memory that was asked for: a damaged
 * index leads to a row that is whole, but another's. Only a key of JSON has its quotes bare and a
 * colon behind, so no text in a memory can say what these facts do.
 */
export function isWhole(bytes: unknown, sha256: unknown, sought: Sought): boolean {
  if (!Buffer.isBuffer(bytes) || !hasHash(bytes, sha256)) return false;
  const head = bytes.toString('latin1', 0, HEAD);
  return factsOf(sought).every((fact) => head.includes(fact) || bytes.includes(fact));
}

/** Tells whether bytes, which a damaged row may have none of, have a hash. */
export function hasHash(bytes: unknown, sha256: unknown): boolean {
  return bytes instanceof Uint8Array && hash('sha256', bytes) === sha256;
}

function factsOf({ account_id, id, started_at, is_processing }: Sought): string[] {
  const facts = [`{"id":"${id}",`, `"user_id":"${account_id}",`];
  if (started_at !== undefined) facts.push(`"started_at":"${isoOf(started_at)}",`);
  if (is_processing !== undefined) facts.push(`"is_processing":${is_processing},`);
  return facts;
}

function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString();
}

/** The refusal to give a memory that is not as it was written. */
export function damaged(path: string, sought: Sought): Refusal {
  return refusal(path, `${named(sought)} is not as it was written`);
}

/** The refusal to give a list whose index leads astray. */
export function disordered(path: string, account_id: string): Refusal {
  return refusal(path, `The memories of account ${account_id} do not come in their order`);
}

function refusal(path: string, what: string): Refusal {
  const command = commandOn(path, 'verify');
  return new Refusal(`${what}; find what is damaged with: ${command}`, { trouble: 'damaged' });
}
