// What the findings of `verify` share in both engines: their words, and how they are collected.

import { setImmediate as turn } from 'node:timers/promises';

import * as v from 'valibot';

import { MemoryId } from '../../contract/schemas/memory.ts';
import type { NamedQuery } from '../sql/query.ts';

/** The remedy for lost or damaged data. */
export const RESTORE = 'restore a backup';

/** The remedy if all memories are intact but something derived from them is not. */
export const REBUILD = 'restore a backup, or export the account and import it into a new database';

/** The remedy if only vectors are damaged. */
export const EMBED =
  'remove the vectors with "memory-gateway embed --off", and make them again with "memory-gateway embed"';

/** The remedy for an object in the schema that is not ours. It may hold deleted text, or make writes fail. */
export const DROP = `drop it if you know what created it, or ${REBUILD}`;

/** Names a memory for people. Accepts any value, because a damaged row may hold no valid id. */
export function memoryName({ account_id, id }: { account_id: unknown; id: unknown }): string {
  return `Memory ${show(id)} of account ${show(account_id)}`;
}

/** Returns a valid id as it is, and any other value as JSON. */
export function show(id: unknown): string {
  return v.is(MemoryId, id) ? id : JSON.stringify(id);
}

/** The result of verifying a database. */
export interface Verified {
  /** When the snapshot was taken, in milliseconds since 1970. */
  readonly at: number;
  readonly memories: number;
  readonly accounts: number;
  /** What is wrong, each in a sentence with its remedy: the first hundred. */
  readonly findings: readonly string[];
  /** How many more findings there are. */
  readonly more: number;
}

/** The most findings reported in full. */
const MAX_FINDINGS = 100;

/** Yielded between findings where no statement is open, so that signals and progress need not wait for the end. */
export const PAUSE = undefined;

/** A sentence that says what is wrong and what to do, or a pause. */
export type Finding = string | typeof PAUSE;

/** Collects the first findings in full, and counts the others. */
export async function collectFindings(
  found: Iterable<Finding> | AsyncIterable<Finding>,
): Promise<Pick<Verified, 'findings' | 'more'>> {
  const findings: string[] = [];
  let more = 0;
  for await (const finding of found) {
    if (finding === PAUSE) await turn();
    else if (findings.length < MAX_FINDINGS) findings.push(finding);
    else more++;
  }
  return { findings, more };
}

/** The rows of a query, and the faults of one row. */
export interface RowCheck {
  readonly rows: NamedQuery<object, object>;
  readonly faults: (row: object) => Iterable<string>;
}

/** Creates a check from a query, and what is wrong with one of its rows. A query that finds faulty rows alone has a sentence for each. */
export function checkEach<Row extends object>(
  rows: NamedQuery<object, Row>,
  say: (row: Row) => string | undefined,
): RowCheck {
  return { rows, faults: (row) => [say(row as Row)].flatMap((fault) => fault ?? []) };
}

/** Checks that end together if damage stops one of them, and what a sentence calls them then. */
export type CheckPart = readonly [what: string, checks: readonly RowCheck[]];
