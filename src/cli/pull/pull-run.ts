// A run of a pull: how it starts, how it ends, and how a signal stops it after the page that is being written.

import { constants } from 'node:os';

import type { RunEnd } from '../../store/sources/runs.ts';
import type { Context } from '../context.ts';
import { onSignal } from '../signals.ts';
import { countsOf, type Pulling } from './apply.ts';

/** Tells whether a signal has asked the program to stop. */
export interface Stop {
  readonly signal: AbortSignal;
  /** The exit code of a program that a signal has ended: 130 for Ctrl-C. */
  exitCode(): number;
}

/** Runs work that stops by a signal. A second signal ends the program at once. */
export async function withStop<T>(context: Context, work: (stop: Stop) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let exitCode = 128 + constants.signals.SIGINT;
  const forget = onSignal(context, (signal) => {
    exitCode = 128 + constants.signals[signal];
    if (stop.signal.aborted) context.end(exitCode);
    stop.abort();
  });
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
