// What a command is, and how its result is printed.

import { styleText } from 'node:util';

import type { Args } from './args.ts';
import type { Option } from './option.ts';
import type { OptionName } from './options.ts';
import { plainLine } from './plain.ts';

/** A command: what help says of it, the options it takes, and what it does. */
export interface Command {
  readonly summary: string;
  /** What stands after the command's name, such as `NAME`. */
  readonly takes?: string;
  readonly options: readonly OptionName[];
  /** What help says of options here, where it is less than they mean elsewhere. */
  readonly says?: Partial<Readonly<Record<OptionName, string>>>;
  /** Options that are others here than elsewhere. */
  readonly own?: Partial<Readonly<Record<OptionName, Option>>>;
  /** What help says beneath: a title, and rows; loaded when it is asked for. */
  readonly details?: () => Promise<Details>;
  readonly run: (args: Args) => Result | Promise<Result>;
}

/** A table of help. */
export interface Details {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** What a command has to say. */
export interface Result {
  /** For stdout: what was asked for. */
  readonly text?: string;
  /** For stdout with --json. */
  readonly json?: unknown;
  /** For stderr: what a person wants to know beside it. */
  readonly note?: string;
  /** The exit code, 0 if left out. */
  readonly exit?: number;
}

/** The most characters of a cell. */
const LONGEST = 200;

/** Prints rows in columns under a head; says so when there are none. */
export function table(head: readonly string[], given: readonly (readonly string[])[]): string {
  if (given.length === 0) return 'There are none yet.';
  const rows = given.map((row) => row.map((cell) => plainLine(cell, LONGEST)));
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(head)), ...rows.map(line)].join('\n');
}

/** Says how many there are: `1 memory`, `2 memories`. */
export function amount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Shows a time to the minute, for a person; `-` when there is none, `?` where it is none of a calendar. */
export function showTime(time: number | null): string {
  if (time === null) return '-';
  const text = isoTime(time);
  return text === null ? '?' : `${text.slice(0, -8).replace('T', ' ')}Z`;
}

/** Gives a time as the API does; null when there is none, or none that a calendar has. */
export function isoTime(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
