// Rules about recurring sources: those whose last run failed, and those that have not run for long.

import { shellWord } from '../../lib/shell.ts';
import { DAY_MS } from '../../lib/time.ts';
import { commandOn } from '../../store/address.ts';
import type { SourceFacts } from '../../store/files/database-file.ts';
import { formatTime } from '../output/text.ts';
import type { Inspection, Rule } from './rule.ts';

/** A source whose usual interval is unknown, or that watches a folder, is late after this. */
const LATE_MS = 7 * DAY_MS;
/** How many usual intervals a source may be late, but a day at least. */
const INTERVALS = 3;

/** Rules about sources. */
export const sourceRules: readonly Rule[] = [
  [
    'source-failed',
    'hint',
    (known) =>
      (known.sources ?? [])
        .filter(({ result }) => result === 'failed')
        .map(
          (source) =>
            `The last run of ${nameOf(source)} failed at ${formatTime(source.active_at)}: ${source.error ?? 'for an unknown reason.'} If you no longer need it, run: ${forget(known, source)}`,
        ),
  ],
  [
    'source-late',
    'hint',
    (known) =>
      (known.sources ?? [])
        .filter(isLate)
        .map(
          (source) =>
            `The ${nameOf(source)} has not run since ${formatTime(source.active_at)}; look at its timer, or forget the source with: ${forget(known, source)}`,
        ),
  ],
];

function isLate({ kind, active_at, interval_ms }: SourceFacts): boolean {
  const usual = kind === 'pull' && interval_ms !== null;
  const limit = usual ? Math.max(DAY_MS, INTERVALS * interval_ms) : LATE_MS;
  return Date.now() - active_at > limit;
}

function nameOf({ name, account_id }: SourceFacts): string {
  return `source ${name} of account ${account_id}`;
}

function forget({ path }: Inspection, { name, account_id }: SourceFacts): string {
  return commandOn(path, `sources forget ${shellWord(name)} --account ${account_id}`);
}
