// Runs the watch command: reads its options, watches until a signal or once, and reports what was done.

import { resolve } from 'node:path';

import { createEndpoint } from '../../embeddings/endpoint.ts';
import { createCandidates } from '../../sources/watch/candidates.ts';
import { REJECTED } from '../../sources/watch/move-aside.ts';
import { showDatabase } from '../../store/address.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { VERSION } from '../../version.ts';
import { idOfChosen } from '../args/account.ts';
import { oneArgument, type Args } from '../args/args.ts';
import { readEmbeddings } from '../args/embeddings.ts';
import { readDuration } from '../args/values.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { formatFindings } from '../import/findings.ts';
import { readReadOptions } from '../import/importing.ts';
import { formatCounts } from '../import/tally.ts';
import { createLogger } from '../output/logger.ts';
import { formatCount } from '../output/text.ts';
import { stopOnSignal } from '../signals.ts';
import { createCounts, type FolderWatch } from './folder-watch.ts';
import { beginWatch, watchInRounds, watchOnce } from './rounds.ts';
import { endWatch } from './watch-session.ts';

/** Watches a folder until a signal, or once. Exit code 1 if --once found something that it could not import. */
export async function runWatchCommand(args: Args, context: Context): Promise<CommandResult> {
  const folder = resolve(oneArgument(args, 'FOLDER'));
  const settleMs = readDuration('settle', args.need('settle'), ['0s', '24h']);
  const intervalMs = readDuration('interval', args.need('interval'), ['1s', '24h']);
  const isOnce = args.flag('once');
  const database = args.need('database');
  const account_id = await idOfChosen(args);
  const reading = await readReadOptions(args);
  const embeddings = readEmbeddings(args, context.env);
  // Standard output is for the result, if there is one.
  const log = await createLogger(isOnce || args.flag('json') ? context.stderr : context.stdout, {
    level: isOnce ? 'warn' : 'info',
  });
  const stopping = new AbortController();
  const watch: FolderWatch = {
    folder,
    key: { account_id, name: `folder:${folder}` },
    engine: engineOf(database),
    reading,
    isMoving: args.flag('move'),
    isOnce,
    intervalMs,
    logger: log.logger,
    endpoint: embeddings && createEndpoint(embeddings),
    lacksVectors: false,
    stop: stopping.signal,
    candidates: createCandidates(settleMs),
    counts: createCounts(),
    warned: new Set(),
    suspects: new Map(),
    run: undefined,
  };
  const forget = stopWatch(context, watch, stopping);
  const about = { account: account_id, database: showDatabase(database), version: VERSION };
  try {
    await watchUntilStopped(watch, settleMs, about);
    if (!isOnce) log.logger.info(summary(watch), 'stopped');
  } finally {
    forget();
    await log.end();
  }
  return toResult(watch);
}

async function watchUntilStopped(
  watch: FolderWatch,
  settleMs: number,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await beginWatch(watch);
    watch.logger.info({ folder: watch.folder, ...about }, 'watching');
    await (watch.isOnce ? watchOnce(watch, settleMs) : watchInRounds(watch));
  } catch (error) {
    const { aborted, reason } = watch.stop;
    const isStopped = aborted && (error === reason || error instanceof Refusal);
    if (error instanceof Refusal && !isStopped) await endQuietly(watch, error.message);
    if (!isStopped) throw error;
  }
  await endQuietly(watch, null);
}

/** Stores the end of the run. If that fails, `sources list` shows the last time that it was at work. */
async function endQuietly(watch: FolderWatch, error: string | null): Promise<void> {
  try {
    await endWatch(watch, error);
  } catch (failure) {
    if (!((await watch.engine.explain(failure)) instanceof Refusal)) throw failure;
  }
}

/** A shutdown ends after this time in any case. What was being read is read again at the next start. */
const STOP_MS = 900;

/** The exit code of --once if a signal stops it, as after Ctrl+C. */
const STOPPED = 130;

function stopWatch(context: Context, watch: FolderWatch, stopping: AbortController): () => void {
  const { logger } = watch;
  let timer: NodeJS.Timeout | undefined;
  const forget = stopOnSignal(context, (signal) => {
    logger.info({ signal }, 'stopping');
    stopping.abort();
    timer = setTimeout(() => {
      logger.info(summary(watch), 'stopped');
      logger.flush(() => context.end(watch.isOnce ? STOPPED : 0));
    }, STOP_MS).unref();
  });
  return () => {
    forget();
    clearTimeout(timer);
  };
}

/** Returns what was done, for the log and for --json. */
function summary({ counts, candidates }: FolderWatch) {
  const { rejects: _, found, ...numbers } = counts;
  return { ...numbers, ...found, waiting: candidates.counts().pending };
}

function toResult(watch: FolderWatch): CommandResult {
  const { folder, key, counts, isOnce, stop } = watch;
  const json = { folder, account_id: key.account_id, ...summary(watch), rejects: counts.rejects };
  if (!isOnce) return { json };
  const isFailed = counts.rejected + counts.unreadable > 0;
  const exit = stop.aborted ? STOPPED : isFailed ? 1 : 0;
  return { text: formatResult(watch), json, exit };
}

function formatResult({ counts, candidates, stop }: FolderWatch): string {
  const { files, moved, unreadable } = counts;
  const { pending } = candidates.counts();
  return [
    files === 0
      ? 'No complete file is new or has changed.'
      : `${formatCount(files, 'file', 'files')} read: ${formatCounts(counts)}.`,
    ...formatFindings(counts.found),
    ...(moved > 0 ? [`${formatCount(moved, 'file', 'files')} moved to ${REJECTED}.`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable, 'file', 'files')} could not be read.`] : []),
    ...(pending > 0
      ? [`${formatCount(pending, 'file', 'files')} not complete yet; run this again later.`]
      : []),
    ...(stop.aborted ? ['A signal stopped this; run it again for the rest.'] : []),
  ].join('\n');
}
