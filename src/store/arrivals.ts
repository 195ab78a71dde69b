// Arrivals: memories that an import brings, held against those that came before and those that are there.

import type { Memory } from '../contract/memory.ts';
import { ready, type Ready, type Written } from './ready.ts';

/**
 * What came of a memory. Not in are those of a `clash`: another with its id came before it in the
 * same import; and those whose id is `taken`: the memory that has it may be another recording.
 */
export type Put = Written | 'clash' | 'taken';

/** A memory, and the account it goes to. */
export interface Arrival {
  readonly account_id: string;
  readonly memory: Memory;
  /** Where another recording may have its id, too: a number as all products count, or the name of a file. */
  readonly idIs?: 'a number' | 'a file name' | undefined;
}

/** A memory on its way in, and how it came. */
export interface Incoming extends Ready {
  readonly arrival: Arrival;
}

/** Checks and serialises what came. Fails with `ValiError` when the contract does not hold. */
export function incoming(arrival: Arrival): Incoming {
  return { ...ready(arrival.account_id, arrival.memory), arrival };
}

/** What an import knows of. */
export interface Known {
  /** The hash of the memory of this id that came first. */
  readonly first: (each: Incoming) => string | undefined;
  /** The memory of this id that is there, unless it is the same. */
  readonly old: (each: Incoming) => Partial<Memory> | undefined;
  /** Takes down that it is the first of its id. */
  readonly note: (each: Incoming) => void;
}

/** Tells what comes of a memory before it is written; undefined where that is still to be seen. */
export function sift(each: Incoming, { first, old, note }: Known): Put | undefined {
  const before = first(each);
  if (before !== undefined) return before === each.row.body_sha256 ? 'unchanged' : 'clash';
  if (each.arrival.idIs && isOther(old(each), each.arrival.memory)) return 'taken';
  note(each);
  return undefined;
}

/** What comes again has its start, or its words: a file may have another date, and a start be corrected. */
function isOther(old: Partial<Memory> | undefined, { started_at, transcript }: Memory): boolean {
  return old !== undefined && old.started_at !== started_at && old.transcript !== transcript;
}

/** Puts what came of those that were written in the places that were left open for them. */
export function merge(kept: readonly (Put | undefined)[], written: readonly Put[]): Put[] {
  const rest = written.values();
  return kept.map((before) => before ?? (rest.next().value as Put));
}
