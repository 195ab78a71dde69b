// Files of other products, read as the import reads them.

import { itemFormats, textFormats } from '../../src/formats/formats.ts';
import { readMemories, type Outcome, type Source } from '../../src/formats/read.ts';

/** Reads a file to its end; times without an offset are UTC, unless `local` says otherwise. */
export async function readWhole(
  source: Omit<Source, 'bytes'>,
  parts: Iterable<Uint8Array | string>,
  format?: string,
): Promise<Outcome[]> {
  const encoder = new TextEncoder();
  async function* bytes() {
    for (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
  }
  const isWanted = ({ name }: { readonly name: string }) => format === undefined || name === format;
  const reading = {
    items: itemFormats.filter(isWanted),
    texts: textFormats.filter(isWanted),
    local: (time: string) => Date.parse(`${time}Z`),
  };
  const outcomes: Outcome[] = [];
  for await (const each of readMemories({ ...source, bytes: bytes() }, reading))
    outcomes.push(each);
  return outcomes;
}
