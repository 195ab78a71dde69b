// Where the rows of a long list are: the counts of its days become heights, so that any part of it can be shown alone.

import { firstThat } from '../../../../lib/first-that.ts';
import { monthOf, yearOf } from '../../dates.ts';

/** Heights in rem. The name of a day is beside its rows. */
export const SIZES = {
  row: 3.25,
  /** The space above the first row of a day. */
  head: 0.1875,
  /** A line with the month, or about days without recordings. */
  gap: 1.75,
  /** The space between a row and the edge of the window. */
  edge: 0.75,
} as const;

const DAY_MS = 86_400_000;

/** The least days without memories that are told: over three weeks. Shorter pauses are in all lists. */
const LEAST_GAP = 22;

/** A day with memories, and how many. */
export interface DayCount {
  readonly date: string;
  readonly memories: number;
  /** Absent if it is not known. */
  readonly duration_seconds?: number;
  /** Whether the length of some is not known, and not in the sum. */
  readonly isOpen?: boolean;
}

/** A day in its place. */
export interface PlacedDay extends DayCount {
  /** The number of its first row in the whole list, counted from 0. */
  readonly first: number;
  /** How many days without memories lie between the day shown above and this one. 0: too few to tell. */
  readonly gap: number;
  /** Whether the day shown above is of another month. */
  readonly isMonth: boolean;
  /** Its distance from the top of the list, in rem. */
  readonly top: number;
}

/** All days in their places. */
export interface Layout {
  readonly days: readonly PlacedDay[];
  readonly rows: number;
  /** In rem. */
  readonly height: number;
}

/** Places days, which are given newest first, or oldest first. */
export function layOut(days: readonly DayCount[]): Layout {
  let rows = 0;
  let height = 0;
  const placed = days.map((day, index): PlacedDay => {
    const above = days[index - 1];
    const between =
      above === undefined
        ? 0
        : Math.abs(Date.parse(above.date) - Date.parse(day.date)) / DAY_MS - 1;
    const gap = between < LEAST_GAP ? 0 : between;
    const isMonth = above !== undefined && monthOf(above.date) !== monthOf(day.date);
    const place = { ...day, first: rows, gap, isMonth, top: height };
    rows += day.memories;
    height += heightOf(place);
    return place;
  });
  return { days: placed, rows, height };
}

/** Returns the height of a day in rem. */
export function heightOf(day: PlacedDay): number {
  return headOf(day) + day.memories * SIZES.row;
}

/** Returns the height of what is above the first row of a day, in rem. */
export function headOf({ gap, isMonth }: PlacedDay): number {
  return SIZES.head + (gap > 0 || isMonth ? SIZES.gap : 0);
}

/** Returns the day of a row. */
export function dayOfRow({ days }: Layout, row: number): PlacedDay | undefined {
  return days[lastIndex(days, ({ first }) => first <= row)];
}

/** Returns how far a row is from the top of the list, in rem. */
export function topOfRow(layout: Layout, row: number): number {
  const day = dayOfRow(layout, row);
  return day === undefined ? 0 : day.top + headOf(day) + (row - day.first) * SIZES.row;
}

/** Returns the row at a distance from the top in rem, or the nearest one. */
export function rowAt({ days }: Layout, distance: number): number {
  const day =
    days[
      Math.max(
        0,
        lastIndex(days, ({ top }) => top <= distance),
      )
    ];
  if (day === undefined) return 0;
  const row = Math.floor((distance - day.top - headOf(day)) / SIZES.row);
  return day.first + Math.min(Math.max(row, 0), day.memories - 1);
}

/** Returns the first row of a date, or of the newest day before it. After the end: the last row. */
export function rowOfDate({ days, rows }: Layout, date: string): number {
  return days.find((day) => day.date <= date)?.first ?? Math.max(rows - 1, 0);
}

/** Returns what is shown of each day, from a row to before another one, and the row `also`, wherever it is. */
export function sectionsOf(
  layout: Layout,
  [from, to]: readonly [number, number],
  also = -1,
): { readonly day: PlacedDay; readonly rows: readonly number[] }[] {
  const near = Array.from({ length: Math.max(to - from, 0) }, (_, index) => from + index);
  const shown = [...new Set([...near, also])].filter((row) => row >= 0 && row < layout.rows);
  const byDay = Map.groupBy(
    shown.toSorted((one, other) => one - other),
    (row) => dayOfRow(layout, row),
  );
  return Array.from(byDay).flatMap(([day, rows]) => (day === undefined ? [] : { day, rows }));
}

/** A year, and how many memories it and its months have. */
export interface YearCount {
  readonly year: string;
  readonly memories: number;
  /** From the last one to the first one. */
  readonly months: readonly { readonly month: string; readonly memories: number }[];
}

/** Returns the years that have memories, newest first: whole, or from the newest month that has some to the oldest one. */
export function yearsOf(days: readonly DayCount[], isCut = false): YearCount[] {
  const byMonth = Map.groupBy(days, ({ date }) => monthOf(date));
  const years = new Set(days.map(({ date }) => yearOf(date)));
  return Array.from(years, (year) => {
    const months = Array.from({ length: 12 }, (_, at) => {
      const month = `${year}-${String(12 - at).padStart(2, '0')}`;
      return { month, memories: sumOf(byMonth.get(month) ?? []).memories };
    }).filter(
      ({ month }) => !isCut || (month <= days[0]!.date && month >= monthOf(days.at(-1)!.date)),
    );
    return { year, memories: sumOf(months).memories, months };
  });
}

/** Returns how many memories days have, and how long these are together. */
export function sumOf(days: readonly Omit<DayCount, 'date'>[]): {
  memories: number;
  seconds: number;
} {
  return {
    memories: days.reduce((sum, { memories }) => sum + memories, 0),
    seconds: days.reduce((sum, { duration_seconds = 0 }) => sum + duration_seconds, 0),
  };
}

/** Returns the index of the last item for which a condition holds. It must hold for all items before it. */
function lastIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  const end = firstThat(items.length, (at) => {
    const item = items[at];
    return item === undefined || !holds(item);
  });
  return end - 1;
}
