// A run of a pull: how it starts, how a signal stops it after the page that is being written, how it ends, and its result as text and JSON.

import { constants } from 'node:os';

import type { RunEnd } from '../../store/sources/runs.ts';
import type { Context } from '../context.ts';
import { formatCounts, formatSkipped } from '../import/tally.ts';
import { escapeLine } from '../output/terminal.ts';
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
interface PullOutcome extends Pick<Pulling, 'key' | 'tally' | 'deleted' | 'isDry'> {
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
