// The files that the program brings with it, as they lie beside it. In an executable `scripts/binary/files.ts` takes this one's place.

import { readdirSync, readFileSync } from 'node:fs';

/** Whether the program, Node and these files are one executable. */
export const isExecutable: boolean = false;

/** Reads a file of the program's own, by its address relative to the module that asks. */
export function readOwn(file: URL): Buffer<ArrayBuffer> {
  return readFileSync(file);
}

/** Names the files in a folder of the program's own, and its folders, by their order. */
export function listOwn(folder: URL): string[] {
  return readdirSync(folder).toSorted();
}
