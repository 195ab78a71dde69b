// Where the rows of a list come from: counted days, or pages after each other where nothing counts them.

import { dayAfter, layOut, rowOfDate, type DayCount, type Layout } from './layout.ts';
import { advance, partOf, partsOf, type Ask, type Part, type RowPage } from './parts.ts';
import type { Anchor, Row } from './row.ts';

/** A source of rows. */
export interface Source {
  readonly layout: Layout;
  /** Whether there may be rows after the last one. */
  readonly hasMore: boolean;
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

/** Creates the source of days whose memories are counted. It takes what did not change from an older one. */
export function createCounted(
  { ask, dayOf }: { readonly ask: Ask; readonly dayOf: (iso: string) => string },
  days: readonly DayCount[],
): Source {
  const layout = layOut(days);
  let parts = partsOf(days);
  let recent: Part[] = [];
  const find = (id: string) => {
    for (const { first, rows } of recent) {
      const index = rows?.findIndex((row) => row?.id === id) ?? -1;
      if (index >= 0) return first + index;
    }
    return undefined;
  };
  const step = async (from: number, to: number) => {
    const wanted = new Set<Part>();
    for (let row = Math.max(from, 0); row < Math.min(to, layout.rows); row += 1) {
      const part = partOf(parts, row);
      if (part !== undefined) wanted.add(part);
    }
    const part = [...wanted].find(({ rows }) => rows === undefined);
    recent = [...new Set([...wanted, ...recent])].slice(0, PARTS);
    if (part === undefined) return false;
    const smaller = await advance(part, ask);
    parts = parts.flatMap((each) => (each === part ? smaller : [each]));
    recent = [...smaller, ...recent.filter((each) => each !== part)];
    for (const each of parts) if (!recent.includes(each)) delete each.rows;
    return true;
  };
  return {
    layout,
    hasMore: false,
    get isOff() {
      return recent.some((part) => part.isOff === true);
    },
    rowAt: (row) => {
      const part = partOf(parts, row);
      return part?.rows?.[row - part.first];
    },
    find,
    step,
    locate: async ({ id, at }) => {
      const date = dayOf(at);
      const isThere = layout.days.some((day) => day.date === date);
      const after = new Date(Date.parse(at) + 1).toISOString();
      const newer = isThere ? await ask.count(after, dayAfter(date)) : 0;
      const row = Math.min(rowOfDate(layout, date) + newer, Math.max(layout.rows - 1, 0));
      while (await step(row, row + 1)) if (find(id) !== undefined) break;
      return find(id) ?? row;
    },
    replace: (row) => {
      for (const part of recent) if (part.rows !== undefined) part.rows = replaced(part.rows, row);
    },
  };
}

/** Creates the source of pages that follow each other. */
export function createEndless(
  read: (cursor: string | undefined, limit: number) => Promise<RowPage>,
  dayOf: (iso: string) => string,
): Source {
  let rows: readonly Row[] = [];
  let layout = layOut([]);
  let next: string | null | undefined;
  const find = (id: string) => {
    const index = rows.findIndex((row) => row.id === id);
    return index < 0 ? undefined : index;
  };
  const step = async (_from: number, to: number) => {
    if (next === null || to <= rows.length) return false;
    const page = await read(next, Math.min(Math.max(to - rows.length, 50), 1000));
    next = page.next ?? null;
    rows = [...rows, ...page.items];
    const days: { date: string; memories: number }[] = [];
    for (const { started_at } of rows) {
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
    get hasMore() {
      return next !== null;
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
      rows = replaced(rows, row);
    },
  };
}

function replaced<R extends Row | null>(rows: readonly R[], row: Row & R): R[] {
  return rows.map((each) => (each?.id === row.id ? row : each));
}
