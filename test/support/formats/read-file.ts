// Reads files of other products like the import does.

import { itemFormats, textFormats } from '../../../src/formats/formats.ts';
import { createJoiner } from '../../../src/formats/join.ts';
import type { ItemPosition } from '../../../src/formats/json/read-items.ts';
import type { ReadOptions, WaitingParts } from '../../../src/formats/outcome.ts';
import { readMemories, type FileSource, type ReadOutcome } from '../../../src/formats/read.ts';

/** What becomes of an item, after parts of memories are joined. */
export type WholeOutcome = Exclude<ReadOutcome, WaitingParts>;

/** A file with its bytes, in any pieces. */
export interface WholeFile extends Omit<FileSource, 'bytes'> {
  readonly parts: Iterable<Uint8Array | string>;
}

/**
 * Reads a file to its end. Times without an offset are UTC, unless `local` names another time zone.
 */
export function readWhole(
  source: Omit<FileSource, 'bytes'>,
  parts: Iterable<Uint8Array | string>,
  format?: string,
): Promise<WholeOutcome[]> {
  return readAll([{ ...source, parts }], format);
}

/** Reads the files of one import. What is joined comes last. */
export async function readAll(
  files: readonly WholeFile[],
  format?: string,
  more: Partial<ReadOptions> = {},
): Promise<WholeOutcome[]> {
  const isWanted = ({ name }: { readonly name: string }) => format === undefined || name === format;
  const local = (time: string) => Date.parse(`${time}Z`);
  const reading = {
    items: itemFormats.filter(isWanted),
    texts: textFormats.filter(isWanted),
    local,
    ...more,
  };
  const texts: string[] = [];
  const joiner = createJoiner<ItemPosition>({
    put: (text) => texts.push(text) - 1,
    get: (number) => texts[number] as string,
  });
  const outcomes: WholeOutcome[] = [];
  for (const { parts, ...source } of files)
    for await (const each of readMemories({ ...source, bytes: encoded(parts) }, reading)) {
      if (!('parts' in each)) outcomes.push(each);
      else {
        const reason = await joiner.add(each, each.place);
        if (reason !== undefined) outcomes.push({ place: each.place, reason });
      }
    }
  for await (const { at, ...outcome } of joiner.join(reading)) {
    if ('reason' in outcome)
      outcomes.push(...at.map((place) => ({ place, reason: outcome.reason })));
    else if ('skipped' in outcome) outcomes.push({ place: at[0] ?? {}, skipped: outcome.skipped });
    else outcomes.push({ place: at[0] ?? {}, ...outcome });
  }
  return outcomes;
}

async function* encoded(parts: Iterable<Uint8Array | string>) {
  const encoder = new TextEncoder();
  for (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}
