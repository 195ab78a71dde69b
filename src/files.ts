// The program's own files, read from the package. The executable uses `scripts/binary/files.ts` instead.

import { readdirSync, readFileSync } from 'node:fs';

/** Whether the program, Node and these files are in one executable. */
export const isExecutable: boolean = false;

/** Whether the program runs from the sources of a clone, so that nothing is built. */
export const isSource: boolean = import.meta.url.endsWith('.ts');

// The bundle sets `import.meta.url` so that this is right there too: see scripts/bundle.ts.
// Bundlers of embedding programs follow `new URL('…', import.meta.url)`, and fail at a folder.
const PACKAGE = import.meta.url.replace(/[^/]+\/[^/]+$/, '');

/** Reads a file of the package by its path, such as `sql/sqlite/0001-memories.sql`. */
export function readOwn(name: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(name, PACKAGE));
}

/** Returns the address of a file of the package, for `import()`. */
export function ownUrl(name: string): string {
  return new URL(name, PACKAGE).href;
}

/** Returns the names of the files in a folder of the package, sorted. */
export function listOwn(folder: string): string[] {
  return readdirSync(new URL(folder, PACKAGE)).toSorted();
}
