// The rows of a counted list, read in parts: days that belong together, and long days in halves of their time.

import { Failure } from '../../../../contract/failure.ts';
import { dayAfter, type DayCount } from './layout.ts';
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
export interface Part {
  /** The number of its first row in the list. */
  readonly first: number;
  readonly count: number;
  /** Its memories start at `low` or later, and before `high`. */
  readonly low: string;
  readonly high: string;
  /** A time in milliseconds that is not after `low` in any time zone, and one that is not before `high`. */
  readonly span: readonly [number, number];
  /** The part before it, if so many memories start in one millisecond that only cursors tell them apart. */
  readonly before?: Part;
  /** Its rows, if they are read. `null` is a memory that cannot be read. */
  rows?: readonly (Row | null)[];
  /** The cursor after it. `null` if a memory that cannot be read hides it. */
  next?: string | null;
  /** Whether it had another number of rows than was counted. */
  isOff?: boolean;
}

/** How many rows one request reads. */
export const MOST = 100;
const CHAIN = 1000;
const DAY_MS = 86_400_000;

/** Divides days, which are given newest first, into parts. */
export function partsOf(days: readonly DayCount[]): Part[] {
  const parts: Part[] = [];
  let first = 0;
  for (const { date, memories } of days) {
    const last = parts.at(-1);
    const low = Date.parse(date) - DAY_MS;
    if (last !== undefined && last.count + memories <= MOST)
      parts[parts.length - 1] = {
        ...last,
        count: last.count + memories,
        low: date,
        span: [low, last.span[1]],
      };
    else
      parts.push({
        first,
        count: memories,
        low: date,
        high: dayAfter(date),
        span: [low, low + 3 * DAY_MS],
      });
    first += memories;
  }
  return parts;
}

/** Returns the part of a row. */
export function partOf(parts: readonly Part[], row: number): Part | undefined {
  return parts.findLast(({ first }) => first <= row);
}

/**
 * Makes the next step towards reading a part: reads it, or returns smaller parts in its place, if it
 * is too long or has a memory that cannot be read. Rejects as the requests do.
 */
export async function advance(part: Part, ask: Ask): Promise<readonly Part[]> {
  const isMoment = part.span[1] - part.span[0] <= 1;
  const isLong = part.count > (isMoment ? CHAIN : 2 * MOST);
  if (isLong) return isMoment ? chain(part) : await halve(part, ask);
  const cursor = part.before?.next;
  if (part.before !== undefined && cursor === undefined) {
    await advance(part.before, ask);
    return [part];
  }
  try {
    if (cursor === null) throw new Failure(500, '');
    const page =
      typeof cursor === 'string'
        ? await ask.next(cursor, part.count)
        : await ask.page(part.low, part.high, isMoment ? part.count : part.count + 1);
    part.isOff = page.items.length !== part.count;
    part.rows = page.items;
    part.next = page.next ?? null;
  } catch (error) {
    // The gateway fails the whole page if one of its memories is damaged.
    if (!(error instanceof Failure) || error.status !== 500) throw error;
    if (part.count > 1 && !isMoment) return await halve(part, ask);
    part.rows = Array.from({ length: part.count }, () => null);
    part.next = null;
  }
  return [part];
}

async function halve({ first, count, low, high, span }: Part, ask: Ask): Promise<Part[]> {
  const middle = Math.floor((span[0] + span[1]) / 2);
  const at = new Date(middle).toISOString();
  const newer = Math.min(await ask.count(at, high), count);
  const parts: Part[] = [
    { first, count: newer, low: at, high, span: [middle, span[1]] },
    { first: first + newer, count: count - newer, low, high: at, span: [span[0], middle] },
  ];
  return parts.filter((part) => part.count > 0);
}

function chain(part: Part): Part[] {
  const parts: Part[] = [];
  for (let done = 0; done < part.count; done += CHAIN) {
    const before = parts.at(-1);
    const count = Math.min(CHAIN, part.count - done);
    parts.push({ ...part, first: part.first + done, count, ...(before && { before }) });
  }
  return parts;
}
