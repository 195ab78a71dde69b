// How a program ends: errors for people become one line, bugs are shown whole.

import { Refusal } from '../store/refusal.ts';
import { Mistake } from './args.ts';

/** Runs a program to its exit code: 0 done, 1 could not be done, 2 called wrongly. */
export async function runToExit(name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Mistake) && !(error instanceof Refusal)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    return error instanceof Mistake ? 2 : 1;
  }
}
