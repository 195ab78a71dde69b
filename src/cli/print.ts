// Prints what was asked for.

import { writeFileSync } from 'node:fs';

import { Refusal } from '../store/refusal.ts';

const STDOUT = 1;

/** Writes a line to standard output, to its end. Fails with `Refusal` when it is closed or full. */
export function print(line: string): void {
  try {
    writeFileSync(STDOUT, `${line}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`Standard output could not be written (${code}); give it a reader, or room.`);
  }
}
