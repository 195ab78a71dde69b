// Runs the pull command: requests page after page, writes each, and records how the run ended.

import { localReader } from '../../lib/timezone.ts';
import { isProblem, SourceFailure } from '../../sources/failure.ts';
import type { PullOptions } from '../../sources/page.ts';
import { pullPages } from '../../sources/pages.ts';
import type { ProductTarget } from '../../sources/product-request.ts';
import { readState } from '../../sources/state.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { VERSION } from '../../version.ts';
import { idOfAccount } from '../args/account.ts';
import { oneArgument, type Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { createTally, formatRejected } from '../import/tally.ts';
import { withProgress, type Progress } from '../output/progress.ts';
import { applyPage, type Pulling } from './apply.ts';
import { readCredential } from './credential.ts';
import { findGone } from './mirror.ts';
import { beginRun, endPull, withStop, type Stop } from './pull-run.ts';
import { formatPull, toPullJson } from './pull-run.ts';
import { findSource, nameOf, readSince, readUrl } from './source-options.ts';

/** Imports what is new at a source. Exit code 1 if an item was rejected, 130 if Ctrl-C stopped it. */
export async function runPullCommand(args: Args, context: Context): Promise<CommandResult> {
  const source = findSource(oneArgument(args, 'SOURCE'));
  const url = readUrl(source, args.text('url'));
  const account = args.need('account');
  const local = await localReader('UTC');
  const since = readSince(source, args.text('since'), local);
  if (args.flag('mirror') && since !== undefined)
    throw new UsageError('--mirror compares everything; pass it without --since.');
  const key = { account_id: await idOfAccount(args, account), name: nameOf(source, url) };
  const secret = await readCredential(source, args.text('credential-file'), context);
  return withStop(context, (stop) =>
    withProgress(context, { total: 0, unit: 'items', isStoppable: true }, async (progress) => {
      const pulling: Pulling = {
        engine: engineOf(args.need('database')),
        source,
        key,
        isDry: args.flag('dry-run'),
        tally: createTally(),
        deleted: 0,
        run: undefined,
        local,
        say: (line) => progress.say(line),
        onReject: (reject) => progress.say(formatRejected(reject)),
      };
      const target = { source, url, secret, userAgent: `memory-gateway/${VERSION}` };
      return pull(pulling, { target, since, stop, progress, isMirror: args.flag('mirror') });
    }),
  );
}

interface PullRun {
  readonly target: Pick<ProductTarget, 'source' | 'url' | 'secret' | 'userAgent'>;
  readonly since: number | undefined;
  readonly isMirror: boolean;
  readonly stop: Stop;
  readonly progress: Progress;
}

async function pull(pulling: Pulling, running: PullRun): Promise<CommandResult> {
  const { stop, isMirror } = running;
  const state = readState(await beginRun(pulling, running.target.url));
  const isFull = isMirror && pulling.source.order !== 'feed';
  try {
    await pullAll(pulling, running, { state, since: running.since, isFull });
    await endPull(pulling, 'ok', null);
    const outcome = { ...pulling, result: 'ok' as const };
    return {
      text: formatPull(outcome),
      json: toPullJson(outcome),
      exit: pulling.tally.rejected > 0 ? 1 : 0,
    };
  } catch (error) {
    if (isProblem(error, 'stopped')) {
      await endPull(pulling, 'interrupted', null);
      const outcome = { ...pulling, result: 'interrupted' as const };
      return {
        text: formatPull(outcome),
        json: toPullJson(outcome),
        note: 'Stopped. Run the same command again to continue.',
        exit: stop.exitCode(),
      };
    }
    if (!(error instanceof SourceFailure) && !(error instanceof Refusal)) throw error;
    await endPull(pulling, 'failed', error.message).catch(() => {}); // the database may be the problem
    throw withKept(error, pulling);
  }
}

async function pullAll(
  pulling: Pulling,
  { target, stop, progress, isMirror }: PullRun,
  options: PullOptions,
): Promise<void> {
  const showing = (text = '') => {
    const { added, updated, unchanged, rejected } = pulling.tally;
    progress.to(added + updated + unchanged + rejected, text || `${added + updated} written`);
  };
  const whole: ProductTarget = {
    ...target,
    signal: stop.signal,
    onWait: (ms) => showing(`waiting ${Math.ceil(ms / 1000)} s`),
  };
  for await (const page of pullPages(whole, options)) {
    const gone = await findGone(pulling, page, { target: whole, isMirror });
    await applyPage(pulling, page, gone);
    showing();
  }
}

/** Adds to an error what is imported already. */
function withKept({ message }: Error, { tally, isDry }: Pulling): Refusal {
  const written = tally.added + tally.updated;
  if (isDry || written === 0) return new Refusal(message);
  const kept = `${written} memories are imported already.`;
  // A message without a full stop ends with a command to paste.
  return new Refusal(message.endsWith('.') ? `${message} ${kept}` : `${kept} ${message}`);
}
