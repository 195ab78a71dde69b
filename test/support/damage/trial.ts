// The report of a fault trial.

import type { TestContext } from 'node:test';

/** Shows the figures of a trial: cases tried, faults survived, what leaked. */
export function tell(t: TestContext, figures: Readonly<Record<string, string | number>>): void {
  const shown = Object.entries(figures).map(([name, figure]) => `${name}: ${figure}`);
  t.diagnostic(shown.join(', '));
}
