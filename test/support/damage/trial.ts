// The size of a fault trial, short or full, and its report.

import type { TestContext } from 'node:test';

/** Whether trials are short, as in CI: `FAULTS=short`. */
export const isShort = process.env['FAULTS'] === 'short';

/** Returns the number for a full trial, or the smaller one for a short trial. */
export function sized(all: number, few: number): number {
  return isShort ? few : all;
}

/** Shows the figures of a trial: cases tried, faults survived, what leaked. */
export function tell(t: TestContext, figures: Readonly<Record<string, string | number>>): void {
  const shown = Object.entries(figures).map(([name, figure]) => `${name}: ${figure}`);
  t.diagnostic(shown.join(', '));
}
