// Prints what was asked for.

import { fstatSync, statSync, writeSync } from 'node:fs';

import { Refusal } from '../store/refusal.ts';

const STDOUT = 1;

/** How long a reader is waited for, before what is left is written again. */
const PAUSE_MS = 5;

/** Writes a line to standard output, to its end. Fails with `Refusal` when it is closed or full. */
export function print(line: string): void {
  let left: Uint8Array = Buffer.from(`${line}\n`);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(STDOUT, left));
    } catch (error) {
      // Node makes pipes so that they never wait for their readers; a printed line does.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw unprinted(error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
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
