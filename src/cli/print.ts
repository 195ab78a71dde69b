// Prints what was asked for.

import { fstatSync, statSync, writeFileSync } from 'node:fs';

import { Refusal } from '../store/refusal.ts';

const STDOUT = 1;

/** Writes a line to standard output, to its end. Fails with `Refusal` when it is closed or full. */
export function print(line: string): void {
  try {
    writeFileSync(STDOUT, `${line}\n`);
  } catch (error) {
    throw unprinted(error);
  }
}

/** The refusal of what standard output did not take. */
export function unprinted(error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  return new Refusal(`Standard output could not be written (${code}); give it a reader, or room.`);
}

/** Fails with `Refusal` when standard output is closed, which Node opens on /dev/null, or thrown away. */
export function requireReader(): void {
  const out = fstatSync(STDOUT);
  const nowhere = statSync('/dev/null', { throwIfNoEntry: false });
  if (nowhere === undefined || !out.isCharacterDevice() || out.rdev !== nowhere.rdev) return;
  throw new Refusal(
    'Standard output goes nowhere, and a key is printed there once; give it a reader.',
  );
}
