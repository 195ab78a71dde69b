// Writes memories as a table: CSV with a header and one row for each memory, which `import --format csv` reads again.

import { TABLE_FIELDS } from '../../formats/tables/fields.ts';
import { protectCell } from '../../formats/tables/formulas.ts';
import type { ListFrame } from './list-export.ts';
import { readMemory } from './stored-memory.ts';

const HEADER = toRow(TABLE_FIELDS);

/** A table. Takeaways are the lines of their cell. */
export const CSV_FRAME: ListFrame = {
  start: HEADER,
  between: '',
  end: '',
  empty: HEADER,
  toBytes(entry) {
    const { summary, ...memory } = readMemory(entry);
    const takeaways = summary.key_takeaways.map((each) => each.replaceAll(/\s*[\n\r]\s*/g, ' '));
    const { quick_summary } = summary;
    const row = { ...memory, quick_summary, key_takeaways: takeaways.join('\n') };
    return Buffer.from(toRow(TABLE_FIELDS.map((field) => protectCell(String(row[field])))));
  },
};

/** Formats a row as RFC 4180 says, but with a plain line feed at its end. */
function toRow(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",;\t\n\r]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\n`;
}
