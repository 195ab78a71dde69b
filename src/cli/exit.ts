// How a program ends: errors for people become one line, bugs are shown whole.

import { Refusal } from '../store/refusal.ts';
import { Mistake } from './args.ts';
import { calledAs } from './npm.ts';

/** Runs a program to its exit code: 0 done, 1 could not be done, 2 called wrongly. */
export async function runToExit(name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Mistake) && !(error instanceof Refusal)) throw error;
    process.stderr.write(`${name}: ${oneLine(error.message)}\n`);
    return error instanceof Mistake ? 2 : 1;
  }
}

/**
 * Writes a message as people get it: in one line, with commands as they are typed here. What was
 * typed may come back in it, so a key by mistake is masked.
 */
export function oneLine(message: string): string {
  return message
    .replaceAll(/mem_[0-9A-Za-z]{16,}\S*|[0-9A-Za-z]{40,}/gi, 'mem_…')
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(': memory-gateway ', `: ${calledAs()} `);
}
