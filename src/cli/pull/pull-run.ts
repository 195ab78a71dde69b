// A run of a pull: how it starts, how a signal stops it after the page that is being written, how it ends, and its result as text and JSON.

import { constants } from 'node:os';

import { toIsoTime } from '../../lib/time.ts';
import type { RunEnd } from '../../store/sources/runs.ts';
import type { Context } from '../context.ts';
import { formatFindings } from '../import/findings.ts';
import { formatCounts, formatSkipped } from '../import/tally.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatCount } from '../output/text.ts';
import { stopOnSignal } from '../signals.ts';
import { countsOf, type Pulling } from './apply.ts';

/** Tells whether a signal has asked the program to stop. */
export interface Stop {
  readonly signal: AbortSignal;
  /** The exit code of a program that a signal has ended: 130 for Ctrl-C. */
  exitCode(): number;
}

const codeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

/** Runs work that stops by a signal. A second signal ends the program at once. */
export async function withStop<T>(context: Context, work: (stop: Stop) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let exitCode = codeOf('SIGINT');
  const first = (signal: NodeJS.Signals) => {
    exitCode = codeOf(signal);
    stop.abort();
  };
  const forget = stopOnSignal(context, first, codeOf);
  try {
    return await work({ signal: stop.signal, exitCode: () => exitCode });
  } finally {
    forget();
  }
}

/** Starts the run. Returns the stored state. A dry run only reads it. */
export async function beginRun(pulling: Pulling, url: string): Promise<string | undefined> {
  const { key, isDry } = pulling;
  return pulling.engine.withWriter(async ({ accounts, sources: runs }) => {
    if (isDry) {
      await accounts.require(key.account_id);
      return (await runs.find(key))?.state;
    }
    const settings = JSON.stringify({ source: pulling.source.name, url });
    const { run, before } = await runs.start({ ...key, kind: 'pull', settings });
    pulling.run = run;
    return before?.state;
  });
}

/** Records how the run ended. A dry run leaves no record. */
export async function endPull(
  pulling: Pulling,
  result: RunEnd['result'],
  error: string | null,
): Promise<void> {
  const { run, engine } = pulling;
  if (run === undefined) return;
  await engine.withWriter(({ sources: runs }) =>
    runs.end(run, { ...countsOf(pulling), result, error }),
  );
}

/** A pull that has ended. */
interface PullOutcome extends Pick<
  Pulling,
  'key' | 'tally' | 'deleted' | 'gone' | 'isDry' | 'backTo'
> {
  readonly result: 'ok' | 'interrupted' | 'waiting';
  /** When the product lets the next run continue, in milliseconds since 1970. */
  readonly continuesAt?: number;
}

/** The exit code if a product asks to wait: EX_TEMPFAIL of sysexits(3). */
export const MUST_WAIT = 75;

/** Says how far back a list was read, as a sentence, or nothing. */
export function formatReached(pulling: Pick<Pulling, 'backTo'>): string {
  const backTo = formatBackTo('', pulling);
  return backTo && `It was read ${backTo}. `;
}

/** Formats how far back a list was read, after a text before it: `, back to March 2024`. Returns '' if it is unknown. */
export function formatBackTo(before: string, { backTo }: Pick<Pulling, 'backTo'>): string {
  if (backTo === undefined) return '';
  const month = new Date(backTo).toLocaleString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${before}back to ${month}`;
}

/** How many memories are listed that were deleted at the source. */
const LISTED = 10;

function formatGone({ gone, key }: Pick<Pulling, 'gone' | 'key'>): string[] {
  if (gone.length === 0) return [];
  const listed = gone.slice(0, LISTED).join(', ') + (gone.length > LISTED ? ', …' : '');
  const are = `${formatCount(gone.length, 'memory is', 'memories are')} no longer at the source`;
  return [
    escapeLine(`${are}: ${listed}`),
    `To delete ${gone.length === 1 ? 'it' : 'them'} here, pull ${key.name} with --mirror=delete.`,
  ];
}

/** Returns what a pull did: a few lines, and the same as JSON. */
export function describePull(outcome: PullOutcome) {
  return { text: formatPull(outcome), json: toPullJson(outcome) };
}

function formatPull(outcome: PullOutcome): string {
  const { key, tally, isDry } = outcome;
  return [
    escapeLine(`${key.name}: ${formatCounts(countsOf(outcome), isDry)}.`),
    ...formatSkipped(tally),
    ...formatGone(outcome),
    ...formatFindings(tally.found),
    ...(isDry ? ['Nothing was written, because this was a dry run.'] : []),
  ].join('\n');
}

function toPullJson(outcome: PullOutcome) {
  const { key, tally, gone, isDry, result, backTo, continuesAt = null } = outcome;
  return {
    source: key.name,
    account: key.account_id,
    dry_run: isDry,
    result,
    ...countsOf(outcome),
    gone,
    back_to: result === 'ok' ? null : toIsoTime(backTo ?? null),
    continues_at: toIsoTime(continuesAt),
    passed_over: tally.passed_over,
    ...tally.found,
    rejects: tally.rejects,
  };
}
