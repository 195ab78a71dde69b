// The rows of a counted list, read in parts: days that belong together, and long days in halves of their time.

import { Failure } from '../../../../contract/failure.ts';
import { addDays } from '../../dates.ts';
import type { DayCount } from './layout.ts';
import type { Row } from './row.ts';

/** The requests that a list makes. Bounds are dates or instants, as the API takes them. */
export interface Ask {
  readonly count: (low: string, high: string) => Promise<number>;
  readonly page: (low: string, high: string, limit: number) => Promise<RowPage>;
  readonly next: (cursor: string, limit: number) => Promise<RowPage>;
}

/** A page of rows, newest first. */
export interface RowPage {
  readonly items: readonly Row[];
  readonly next: string | undefined;
}

/** Rows that are read together. */
export interface ListPart {
  /** The number of its first row in the list. */
  readonly first: number;
  readonly count: number;
  /** Its memories start at `low` or later, and before `high`. */
  readonly low: string;
  readonly high: string;
  /** A time in milliseconds that is not after `low` in any time zone, and one that is not before `high`. */
  readonly span: readonly [number, number];
  /** Its rows, if they are read. `null` is a memory that cannot be read. */
  rows?: readonly (Row | null)[];
  /** Whether it had another number of rows than was counted. */
  isOff?: boolean;
}

/** How many rows of days are read together. Twice as many of one day are. */
const USUAL = 100;
/** How many rows a response has at most. */
const PAGE = 1000;
const DAY_MS = 86_400_000;

/** Divides days, which are given newest first, into parts. */
export function partsOf(days: readonly DayCount[]): ListPart[] {
  const parts: ListPart[] = [];
  let first = 0;
  for (const { date: low, memories } of days) {
    const last = parts.at(-1);
    const start = Date.parse(low) - DAY_MS;
    if (last !== undefined && last.count + memories <= USUAL) {
      const count = last.count + memories;
      parts[parts.length - 1] = { ...last, count, low, span: [start, last.span[1]] };
    } else {
      const span = [start, start + 3 * DAY_MS] as const;
      parts.push({ first, count: memories, low, high: addDays(low, 1), span });
    }
    first += memories;
  }
  return parts;
}

/**
 * Makes the next step towards reading a part: reads it, or returns smaller parts in its place, if it
 * is too long or has a memory that cannot be read. Rejects as the requests do.
 */
export async function advance(part: ListPart, ask: Ask): Promise<readonly ListPart[]> {
  const { count, low, high, span } = part;
  // Memories that start in one millisecond cannot be told apart by time.
  const canHalve = count > 1 && span[1] - span[0] > 1;
  if (canHalve && count > 2 * USUAL) return await halve(part, ask);
  const rows: (Row | null)[] = [];
  try {
    let page = await ask.page(low, high, Math.min(count + 1, PAGE));
    rows.push(...page.items);
    while (page.next !== undefined && rows.length < count) {
      page = await ask.next(page.next, PAGE);
      rows.push(...page.items);
    }
    part.isOff = rows.length !== count;
  } catch (error) {
    // The gateway fails the whole page if one of its memories is damaged.
    if (!(error instanceof Failure) || error.status !== 500) throw error;
    if (canHalve) return await halve(part, ask);
    while (rows.length < count) rows.push(null);
  }
  part.rows = rows;
  return [part];
}

async function halve({ first, count, low, high, span }: ListPart, ask: Ask): Promise<ListPart[]> {
  const middle = Math.floor((span[0] + span[1]) / 2);
  const at = new Date(middle).toISOString();
  const newer = Math.min(await ask.count(at, high), count);
  const halves: ListPart[] = [
    { first, count: newer, low: at, high, span: [middle, span[1]] },
    { first: first + newer, count: count - newer, low, high: at, span: [span[0], middle] },
  ];
  return halves.filter((half) => half.count > 0);
}
