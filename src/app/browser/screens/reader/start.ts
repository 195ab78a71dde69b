// The first lines of a long memory, which are on the screen before the rest has arrived.

import type { Memory } from '../../../../contract/memory.ts';

/** How many characters of a long response are shown first: several screens, and little to lay out. */
const SHOWN_FIRST = 16_000;

/** Returns a memory with the whole lines in the first part of its JSON, in which the transcript comes last. */
export function startOf(json: string): Memory | undefined {
  const shown = json.slice(0, SHOWN_FIRST);
  const begin = shown.indexOf(',"transcript":"');
  const end = shown.lastIndexOf(String.raw`\n`);
  if (begin < 0 || end < begin) return undefined;
  try {
    return JSON.parse(`${shown.slice(0, end)}"}`) as Memory;
  } catch {
    return undefined; // the text has a backslash before an n
  }
}
