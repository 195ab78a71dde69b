// Tables: finds the format of one by its header, and reads its rows.

import { decodeUtf8, notUtf8, readAllBytes, type ByteStream } from '../bytes.ts';
import type { ItemFormat } from '../format.ts';
import type { FoundItem } from '../json/read-items.ts';
import { headerOf, SEPARATORS, type Columns } from './fields.ts';

const SEPARATOR = new RegExp(`[${SEPARATORS.join('')}]`);

/** Returns the format whose items are the rows of a table, by its header. */
export function tableIn(start: string, items: readonly ItemFormat[]): ItemFormat | undefined {
  const header = headerOf(start).split(SEPARATOR);
  const written = header.map((name) => toColumn(name.trim().replace(/^"(.*)"$/, '$1')));
  const names = new Set([...written, ...written.map((name) => name.replaceAll('_', ''))]);
  return items.find((each) => each.columns?.every((some) => some.some((name) => names.has(name))));
}

/** Returns the name of a column as formats have it: `Start time` is `start_time`. */
export function toColumn(name: string): string {
  return name.toLowerCase().replaceAll(/[ -]/g, '_');
}

/**
 * Yields the rows of a table, or the reason why it cannot be read. With `columns`, they become memories
 * of our own format. The code for CSV is loaded only here.
 */
export async function* readTable(
  stream: ByteStream,
  columns: Columns | undefined,
): AsyncGenerator<FoundItem> {
  const { bytes, reason } = await readAllBytes(stream);
  const text = decodeUtf8(bytes);
  if (reason !== undefined || text === undefined)
    return void (yield { reason: reason ?? notUtf8(bytes) });
  const { readMemories, readRecords } = await import('./csv.ts');
  yield* columns ? readMemories(text, columns) : readRecords(text);
  return undefined;
}
