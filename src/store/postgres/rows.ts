// Rows as PostgreSQL keeps them: with the words of their memories, and without U+0000, of which its text has none.

import type { Ready } from '../ready.ts';
import type { Row } from '../rows.ts';
import { wordsOfMemory } from './search.ts';

/** The row of a memory, with its words. */
export function rowOf({ row, memory }: Ready) {
  return { ...asKept(row), words: wordsOfMemory(memory) };
}

/** A row as it is kept; the body has U+0000 as an escape. */
export function asKept(row: Row): Row {
  return {
    ...row,
    name: withoutNul(row.name),
    quick_summary: withoutNul(row.quick_summary),
    key_takeaways: withoutNul(row.key_takeaways),
  };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\u2400');
}
