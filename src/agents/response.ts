// Writes the response of a tool as text: named values first, then blocks with a head line each.

import { showTitle } from './show.ts';
import type { UnderstoodWindow } from './time-window.ts';
import { createLocalTime } from './time-window.ts';

const BETWEEN = ' · ';

/** Writes named values on one line. Those that are undefined are left out. */
export function writeValues(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(BETWEEN);
}

/** Writes parts on one line, such as an id, a time and a title. Empty parts are left out. */
export function writeHead(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(BETWEEN);
}

/** Joins blocks with an empty line between them. Empty blocks are left out. */
export function writeBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** Joins lines. Empty ones are left out. */
export function writeLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n');
}

/** Returns the values that tell in which window of time a response is. */
export function valuesOfWindow({ started_after, started_before, timezone }: UnderstoodWindow) {
  return {
    started_after: started_after ?? undefined,
    started_before: started_before ?? undefined,
    timezone,
  };
}

/** What a head line says about a memory. */
interface About {
  readonly name: string;
  readonly started_at: string;
  readonly is_processing: boolean;
}

/**
 * Creates the function that writes the head of a memory or of a part of it, as in
 * `26-01#L1-L3 · Mon 2023-05-08 13:56 · Name`. A title has no line of its own, so it cannot forge one.
 */
export function createHeadWriter(timezone: string) {
  const localTime = createLocalTime(timezone);
  return (id: string, { name, started_at, is_processing }: About, more: readonly string[] = []) =>
    writeLines([
      writeHead([id, localTime(started_at), ...more, showTitle(name)]),
      is_processing ? 'is_processing: true' : '',
    ]);
}
