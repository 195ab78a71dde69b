// The tally of an import: what came of everything that was found, and where the rest is to be looked for.

import type { Memory } from '../../contract/memory.ts';
import type { Place } from '../../formats/json.ts';
import type { Written } from '../../store/ready.ts';

/** An item that is not imported, where it stands and why. */
export interface Reject extends Place {
  readonly file: string;
  readonly reason: string;
}

/** How many rejects, and samples, a tally keeps for its report; all rejects are told as they come. */
const KEPT = { rejects: 1000, samples: 3 };

/** What an import came to, as `--json` prints it. */
export interface Tally {
  files: number;
  added: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** How many were none, by the reason. */
  readonly passed_over: Record<string, number>;
  /** How many memories went to each account. */
  readonly accounts: Record<string, number>;
  /** How many memories came in each format. */
  readonly formats: Record<string, number>;
  first_started_at: string | null;
  last_started_at: string | null;
  /** The first of those rejected. */
  readonly rejects: Reject[];
  /** The first memories. */
  readonly sample: Memory[];
}

/** Makes an empty tally. */
export function newTally(): Tally {
  return {
    files: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    passed_over: noCounts(),
    accounts: noCounts(),
    formats: noCounts(),
    first_started_at: null,
    last_started_at: null,
    rejects: [],
    sample: [],
  };
}

/** Counts by names that others give, such as `constructor`: nothing is there before. */
function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

/** Counts a memory that was put, or would be. */
export function countMemory(
  tally: Tally,
  { memory, format }: { readonly memory: Memory; readonly format: string },
  put: Written,
): void {
  tally[put]++;
  countOne(tally.accounts, memory.user_id);
  countOne(tally.formats, format);
  const { started_at } = memory;
  if (tally.first_started_at === null || started_at < tally.first_started_at)
    tally.first_started_at = started_at;
  if (tally.last_started_at === null || started_at > tally.last_started_at)
    tally.last_started_at = started_at;
  if (tally.sample.length < KEPT.samples) tally.sample.push(memory);
}

/** Counts an item that was rejected. */
export function countReject(tally: Tally, reject: Reject): void {
  tally.rejected++;
  if (tally.rejects.length < KEPT.rejects) tally.rejects.push(reject);
}

/** Counts one more under a name. */
export function countOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
