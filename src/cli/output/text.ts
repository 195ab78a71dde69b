// Formats results for people: tables, counts and times.

import { styleText } from 'node:util';

import { toIsoTime } from '../../lib/time.ts';
import { escapeLine } from './terminal.ts';

/** The most characters of a table cell. */
const MAX_CELL = 200;

/** The columns of a table: the text of each record under its title. */
export type Columns<T> = Readonly<Record<string, (record: T) => string>>;

/** Formats records in columns under their titles, or says that there are none. */
export function formatTable<T>(records: readonly T[], columns: Columns<T>): string {
  if (records.length === 0) return 'There are none yet.';
  const header = Object.keys(columns);
  const rows = records.map((record) =>
    Object.values(columns).map((read) => escapeLine(read(record), MAX_CELL)),
  );
  const widths = header.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(header)), ...rows.map(line)].join('\n');
}

/** Formats a count with its noun: `1 memory`, `2 memories`. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Formats milliseconds since 1970 to the minute, in UTC: `-` for null, `?` for a time that no calendar has. */
export function formatTime(time: number | null): string {
  if (time === null) return '-';
  const text = toIsoTime(time);
  return text === null ? '?' : `${text.slice(0, -8).replace('T', ' ')}Z`;
}

/** The most characters of a name, unless it has less space. */
export const MAX_NAME = 80;

/** Formats a name on one line of at most `max` characters. An empty name becomes `Untitled`. */
export function formatName(name: string, max = MAX_NAME): string {
  return escapeLine(name, max) || 'Untitled';
}
