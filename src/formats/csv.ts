// Reads tables of people's own: CSV with a header, whose columns are named for the fields of a memory.

import { CsvError, parse } from 'csv-parse/sync';

import type { FoundItem } from './json/read-items.ts';
import { TABLE_FIELDS, type Columns } from './table-fields.ts';

interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/** Yields a memory of our own format for each row, or the reason why the table cannot be read. */
export async function* readTable(text: string, columns: Columns): AsyncGenerator<FoundItem> {
  const [header = ''] = text.split(/[\n\r]/, 1);
  let rows: readonly Row[];
  try {
    rows = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim()),
      bom: true,
      delimiter: delimiterOf(header),
      info: true,
      relax_column_count_less: true,
      skip_empty_lines: true,
    }) as unknown as readonly Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return void (yield { reason: `it is not CSV: ${error.message}` });
  }
  for (const { record, info } of rows) {
    const missing = Object.values(columns).find((name) => !Object.hasOwn(record, name));
    if (missing === undefined) yield { line: info.lines, value: toMemory(record, columns) };
    else {
      const names = Object.keys(record).slice(0, 20).join(', ');
      return void (yield { reason: `it has no column "${missing}"; it has ${names}` });
    }
  }
  return undefined;
}

function toMemory(record: Row['record'], columns: Columns) {
  const fields: [string, string][] = TABLE_FIELDS.flatMap((field) => {
    const value = record[columns[field] ?? field];
    return value === undefined || (value === '' && field !== 'transcript') ? [] : [[field, value]];
  });
  const { quick_summary, key_takeaways, duration_seconds, is_processing, ...memory } =
    Object.fromEntries(fields) as Record<string, string>;
  return {
    ...memory,
    ...(duration_seconds !== undefined && { duration_seconds: Number(duration_seconds) }),
    ...(is_processing !== undefined && { is_processing: /^(?:true|yes|1)$/i.test(is_processing) }),
    summary: { quick_summary, key_takeaways: key_takeaways?.split('\n').filter(Boolean) },
  };
}

/** Returns what separates the columns of a header: a comma, a semicolon as in many countries, or a tab. */
function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ',';
}
