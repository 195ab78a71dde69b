// Integrity: what is read is checked before it leaves the store, as SQLite has no checksums of its pages.

import { hash } from 'node:crypto';

import { named } from './finding.ts';
import { Refusal } from './refusal.ts';
import { commandOn } from './shell.ts';
import type { Item, Position, Range } from './store.ts';

/** Which memory of which account. */
export interface Sought {
  readonly account_id: string;
  readonly id: string;
}

/** How far the facts of a memory reach, unless its name is longer: to look there first takes half the time. */
const HEAD = 512;

/** Tells whether bytes, which a damaged row may have none of, have a hash. */
export function hasHash(bytes: unknown, sha256: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && hash('sha256', bytes) === sha256;
}

/**
 * Tells whether bytes are those that were written, and of the memory that was asked for: a damaged
 * index leads to a row that is whole, but another's.
 */
export function isWhole(bytes: unknown, sha256: unknown, { account_id, id }: Sought): boolean {
  if (!hasHash(bytes, sha256)) return false;
  return says(bytes, `{"id":"${id}",`, `"user_id":"${account_id}",`);
}

/**
 * Tells whether the first and the last of memories that came in order are where they say they are in
 * the list, so that none can be in a wrong place between them, or behind them be passed over.
 */
export function isInPlace(
  items: readonly (Position & Partial<Item>)[],
  { is_processing }: Range,
): boolean {
  const state = is_processing === undefined ? '' : `"is_processing":${is_processing},`;
  return [items.at(0), items.at(-1)].every(
    (item) => !item?.bytes || says(item.bytes, `"started_at":"${isoOf(item)}",`, state),
  );
}

/** Tells whether a memory has facts: a key has its quotes bare and a colon behind, as no text in JSON has them. */
function says(bytes: Uint8Array, ...facts: readonly string[]): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = all.toString('latin1', 0, HEAD);
  return facts.every((fact) => head.includes(fact) || all.includes(fact));
}

/** What is damaged may be no date at all. */
function isoOf({ started_at }: Position): string {
  const date = new Date(started_at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** The refusal to give a memory that is not as it was written. */
export function damaged(path: string, sought: Sought): Refusal {
  return refusal(path, `${named(sought)} is not as it was written`);
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
