// Reads tables of people's own: CSV with a header, whose columns are named for the fields of a memory.

import { CsvError, parse } from 'csv-parse/sync';

import type { FoundItem } from '../json/read-items.ts';
import { toInstant } from '../time/product-time.ts';
import { timeIn } from '../time/written-time.ts';
import { linesOf } from '../turns/lines.ts';
import { headerOf, SEPARATOR_LINE, SEPARATORS, TABLE_FIELDS, type Columns } from './fields.ts';
import { unprotectCell } from './formulas.ts';

interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/** The rows of a table, or the reason why it cannot be read. */
type RowsOrReason = { readonly rows: readonly Row[] } | { readonly reason: string };

function parseTable(text: string, quote: '"' | false = '"'): RowsOrReason {
  try {
    const rows = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim()),
      bom: true,
      delimiter: delimiterOf(headerOf(text)),
      from_line: SEPARATOR_LINE.test(text) ? 2 : 1,
      info: true,
      quote,
      relax_column_count_less: true,
      skip_empty_lines: true,
    }) as unknown as readonly Row[];
    return { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { reason: `it is not CSV: ${error.message}` };
  }
}

/** Yields an item with the columns of a table for each row, or the reason why it cannot be read. */
export async function* readRecords(text: string): AsyncGenerator<FoundItem> {
  const table = parseTable(text, hasBareQuotes(text) ? false : '"');
  if ('reason' in table) return void (yield table);
  for (const { record, info } of table.rows) yield { line: info.lines, value: record };
  return undefined;
}

/** Yields a memory of our own format for each row, or the reason why the table cannot be read. */
export async function* readMemories(text: string, columns: Columns): AsyncGenerator<FoundItem> {
  const table = parseTable(text);
  if ('reason' in table) return void (yield table);
  for (const { record, info } of table.rows) {
    const missing = Object.values(columns).find((name) => !Object.hasOwn(record, name));
    if (missing === undefined) yield { line: info.lines, value: toMemory(record, columns) };
    else {
      const names = Object.keys(record).slice(0, 20).join(', ');
      return void (yield { reason: `it has no column "${missing}"; it has ${names}` });
    }
  }
  return undefined;
}

/** Returns a memory, with the columns that are no field of it under names that no field has: reports list these. */
function toMemory(record: Row['record'], columns: Columns) {
  const columnOf = (field: keyof Columns) => columns[field] ?? field;
  const fields: [string, string][] = TABLE_FIELDS.flatMap((field) => {
    const value = record[columnOf(field)];
    const isMissing = value === undefined || (value === '' && field !== 'transcript');
    return isMissing ? [] : [[field, unprotectCell(value)]];
  });
  const {
    quick_summary,
    key_takeaways,
    started_at,
    ended_at,
    duration_seconds,
    is_processing,
    ...memory
  } = Object.fromEntries(fields) as Record<string, string>;
  const readColumns = new Set(TABLE_FIELDS.map(columnOf));
  const unread = Object.entries(record).filter(([name]) => !readColumns.has(name));
  return {
    ...Object.fromEntries(unread.map(([name, value]) => [`column ${name}`, value])),
    ...memory,
    ...(started_at !== undefined && { started_at: toTime(started_at) }),
    ...(ended_at !== undefined && { ended_at: toTime(ended_at) }),
    ...(duration_seconds !== undefined && {
      // A decimal comma. In `1,234` the comma may be one of thousands.
      duration_seconds: Number(duration_seconds.replace(/^(\d+),(\d\d?)$/, '$1.$2')),
    }),
    ...(is_processing !== undefined && { is_processing: /^(?:true|yes|1)$/i.test(is_processing) }),
    summary: { quick_summary, key_takeaways: key_takeaways?.split('\n').filter(Boolean) },
  };
}

/** Returns a time as a product writes it, otherwise as people do: `26.07.2026 14:30`. */
function toTime(text: string): string {
  return toInstant(text) === undefined ? (timeIn(text) ?? text) : text;
}

/**
 * Whether quotes are a part of the values, as in the tables with tabs that Whisper writes: each row is one
 * line with all columns. A program that quotes values doubles the quotes in them, and often quotes the header.
 */
function hasBareQuotes(text: string): boolean {
  const header = headerOf(text);
  if (delimiterOf(header) !== '\t' || header.includes('"') || text.includes('""')) return false;
  const columns = header.split('\t').length;
  return linesOf(text).every((line) => line === '' || line.split('\t').length === columns);
}

/** Returns what separates the columns of a header. */
function delimiterOf(header: string): string {
  const counts = SEPARATORS.map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ',';
}
