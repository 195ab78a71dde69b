// Where the rows of a list come from: counted days, or pages after each other where nothing counts them.

import { addDays } from '../../dates.ts';
import { layOut, rowOfDate, type DayCount, type Layout } from './layout.ts';
import { advance, partsOf, type Ask, type ListPart, type RowPage } from './list-parts.ts';
import type { Anchor, Row } from './row.ts';

/** A source of rows. */
export interface RowSource {
  readonly layout: Layout;
  /** Whether the counts are not those of the memories any more. */
  readonly isOff: boolean;
  /** Returns a row: `undefined` if it is not read yet, `null` if it cannot be read. */
  readonly rowAt: (row: number) => Row | null | undefined;
  /** Returns the number of a memory's row, if it has been read. */
  readonly find: (id: string) => number | undefined;
  /** Makes a request for rows from `from` to `to`. Returns false if all of them are read. */
  readonly step: (from: number, to: number) => Promise<boolean>;
  /** Finds where a row of an earlier visit is now. */
  readonly locate: (anchor: Anchor) => Promise<number>;
  /** Replaces a memory that has been read. */
  readonly replace: (row: Row) => void;
}

/** How many parts stay in memory. */
const PARTS = 20;

/** What a source needs. */
export interface RowSourceOptions {
  readonly ask: Ask;
  /** Returns the date of an instant in the reader's time zone. */
  readonly dayOf: (iso: string) => string;
  /** The first rows, to be shown until their part is read. */
  readonly head?: readonly Row[];
}

/** Creates the source of days whose memories are counted, newest first. */
export function createCounted(
  { ask, dayOf, head = [] }: RowSourceOptions,
  days: readonly DayCount[],
): RowSource {
  const layout = layOut(days);
  let parts = partsOf(days);
  /** The parts that were wanted last, latest first. The rows of others are forgotten. */
  let recent: ListPart[] = [];
  const find = (id: string) => {
    for (const { first, rows } of recent) {
      const index = rows?.findIndex((row) => row?.id === id) ?? -1;
      if (index >= 0) return first + index;
    }
    return undefined;
  };
  const step = async (from: number, to: number) => {
    const wanted = parts.filter(({ first, count }) => first < to && first + count > from);
    recent = [...new Set([...wanted, ...recent])].slice(0, PARTS);
    const part = wanted.find(({ rows }) => rows === undefined);
    if (part === undefined) return false;
    const smaller = await advance(part, ask);
    const put = (each: ListPart) => (each === part ? smaller : [each]);
    parts = parts.flatMap(put);
    recent = recent.flatMap(put);
    for (const each of parts) if (!recent.includes(each)) delete each.rows;
    return true;
  };
  return {
    layout,
    get isOff() {
      return recent.some((part) => part.isOff === true);
    },
    rowAt: (row) => {
      const part = parts.findLast(({ first }) => first <= row);
      return part?.rows === undefined ? head[row] : part.rows[row - part.first];
    },
    find,
    step,
    locate: async ({ id, at }) => {
      const date = dayOf(at);
      const after = new Date(Date.parse(at) + 1).toISOString();
      // Without a connection, the memory is looked for from the first row of its day on.
      const newer = await ask.count(after, addDays(date, 1)).catch(() => 0);
      const row = Math.min(rowOfDate(layout, date) + newer, Math.max(layout.rows - 1, 0));
      while (await step(row, row + 1)) if (find(id) !== undefined) break;
      return find(id) ?? row;
    },
    replace: (row) => {
      for (const part of recent)
        if (part.rows !== undefined)
          part.rows = part.rows.map((each) => (each?.id === row.id ? row : each));
    },
  };
}

/** Creates the source of pages that follow each other. */
export function createEndless(
  read: (cursor: string | undefined, limit: number) => Promise<RowPage>,
  dayOf: (iso: string) => string,
): RowSource {
  // Pages add to these. Nothing is done again for each row that was read before.
  const rows: Row[] = [];
  const days: { date: string; memories: number }[] = [];
  let layout = layOut(days);
  let next: string | null | undefined;
  const find = (id: string) => {
    const index = rows.findIndex((row) => row.id === id);
    return index < 0 ? undefined : index;
  };
  const step = async (_from: number, to: number) => {
    if (next === null || to <= rows.length) return false;
    const page = await read(next, Math.min(Math.max(to - rows.length, 50), 1000));
    next = page.next ?? null;
    rows.push(...page.items);
    for (const { started_at } of page.items) {
      const date = dayOf(started_at);
      const last = days.at(-1);
      if (last?.date === date) last.memories += 1;
      else days.push({ date, memories: 1 });
    }
    layout = layOut(days);
    return true;
  };
  return {
    get layout() {
      return layout;
    },
    isOff: false,
    rowAt: (row) => rows[row],
    find,
    step,
    locate: async ({ id, row }) => {
      while (find(id) === undefined && (await step(0, row + 1)));
      return find(id) ?? Math.max(Math.min(row, rows.length - 1), 0);
    },
    replace: (row) => {
      const index = find(row.id);
      if (index !== undefined) rows[index] = row;
    },
  };
}
