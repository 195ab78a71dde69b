// Formats the result of a pull, as text and as JSON.

import { formatCounts, formatSkipped } from '../import/tally.ts';
import { escapeLine } from '../output/terminal.ts';
import { countsOf, type Pulling } from './apply.ts';

/** A pull that has ended. */
export interface PullOutcome extends Pick<Pulling, 'key' | 'tally' | 'deleted' | 'isDry'> {
  readonly result: 'ok' | 'interrupted';
}

const MAX_LINE = 2000;

/** Formats what a pull did, in a few lines. */
export function formatPull(outcome: PullOutcome): string {
  const { key, tally, isDry } = outcome;
  return [
    escapeLine(`${key.name}: ${formatCounts(countsOf(outcome), isDry)}.`, MAX_LINE),
    ...formatSkipped(tally),
    ...(isDry ? ['Nothing was written, because this was a dry run.'] : []),
  ].join('\n');
}

/** Returns what a pull did, for JSON. */
export function toPullJson(outcome: PullOutcome) {
  const { key, tally, isDry, result } = outcome;
  return {
    source: key.name,
    account: key.account_id,
    dry_run: isDry,
    result,
    ...countsOf(outcome),
    passed_over: tally.passed_over,
    rejects: tally.rejects,
  };
}
