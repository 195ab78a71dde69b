// Runs the pull command: requests page after page, writes each, and records how the run ended.

import { localReader } from '../../lib/timezone.ts';
import { isProblem, SourceFailure } from '../../sources/failure.ts';
import type { PullOptions } from '../../sources/page.ts';
import { pullPages } from '../../sources/pages.ts';
import { asksToWait, type ProductTarget } from '../../sources/product-request.ts';
import { readState } from '../../sources/state.ts';
import type { Engine } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import type { SourceKey } from '../../store/sources/runs.ts';
import { VERSION } from '../../version.ts';
import { idOfChosen } from '../args/account.ts';
import { oneArgument, type Args } from '../args/args.ts';
import { readEmbeddings } from '../args/embeddings.ts';
import { UsageError } from '../args/parse.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { readKept } from '../import/importing.ts';
import { createTally, formatRejected } from '../import/tally.ts';
import { withProgress, type Progress } from '../output/progress.ts';
import { formatCount, formatTime } from '../output/text.ts';
import { applyPage, type Pulling } from './apply.ts';
import { readCredential } from './credential.ts';
import { findGone } from './mirror.ts';
import {
  beginRun,
  describePull,
  endPull,
  formatBackTo,
  formatReached,
  MUST_WAIT,
  withStop,
  type Stop,
} from './pull-run.ts';
import { findSource, nameOf, readMirror, readTimes, readUrl } from './source-options.ts';

/** Imports what is new at a source. Exit code 1 if an item was rejected, 75 if the product asks to wait, 130 if Ctrl-C stopped it. */
export async function runPullCommand(args: Args, context: Context): Promise<CommandResult> {
  const source = findSource(oneArgument(args, 'SOURCE'));
  const url = readUrl(source, args.text('url'));
  const local = await localReader('UTC');
  const reading = { local, ...readKept(args) };
  const times = readTimes(source, args, local);
  const mirror = readMirror(args, times);
  const key = { account_id: await idOfChosen(args), name: nameOf(source, url) };
  const file = args.text('credential-file');
  const isStored = args.flag('stored');
  if (isStored && file !== undefined)
    throw new UsageError('Pass --stored or --credential-file, not both.');
  const given = isStored ? undefined : await readCredential(source, file, context);
  const embeddings = readEmbeddings(args, context.env);
  const engine = engineOf(args.need('database'));
  const isDry = args.flag('dry-run');
  const pulled = await withStop(context, (stop) =>
    withProgress(context, { total: 0, unit: 'items', isStoppable: true }, async (progress) => {
      const pulling: Pulling = {
        engine,
        source,
        key,
        isDry,
        deletes: mirror === 'delete' || source.order === 'feed',
        tally: createTally(),
        deleted: 0,
        gone: [],
        backTo: undefined,
        run: undefined,
        reading,
        say: (line) => progress.say(line),
        onReject: (reject) => progress.say(formatRejected(reject)),
      };
      const readSecret = async () => (isStored ? readStored(engine, key, args) : given);
      const userAgent = `memory-gateway/${VERSION}`;
      const target = { source, url, userAgent, isFromApp: isStored };
      const isFull = mirror !== undefined && source.order !== 'feed';
      return pull(pulling, { target, readSecret, stop, progress, ...times, isFull });
    }),
  );
  const isStopped = (pulled.exit ?? 0) > 1;
  if (embeddings === undefined || isDry || isStopped) return pulled;
  const { addVectors } = await import('../embed/embedding.ts');
  return addVectors(pulled, [key.account_id], { engine, embeddings, context });
}

interface PullRun extends Omit<PullOptions, 'state'> {
  readonly target: Pick<ProductTarget, 'source' | 'url' | 'userAgent' | 'isFromApp'>;
  readonly readSecret: () => Promise<string | undefined>;
  readonly stop: Stop;
  readonly progress: Progress;
}

async function pull(pulling: Pulling, running: PullRun): Promise<CommandResult> {
  const { stop, since, until, isFull } = running;
  const state = readState(await beginRun(pulling, running.target.url));
  try {
    await pullAll(pulling, running, { state, since, until, isFull });
    await endPull(pulling, 'ok', null);
    return {
      ...describePull({ ...pulling, result: 'ok' }),
      exit: pulling.tally.rejected > 0 ? 1 : 0,
    };
  } catch (error) {
    if (isProblem(error, 'stopped')) {
      await endPull(pulling, 'interrupted', null);
      return {
        ...describePull({ ...pulling, result: 'interrupted' }),
        note: `Stopped. ${formatReached(pulling)}Run the same command again to continue.`,
        exit: stop.exitCode(),
      };
    }
    if (error instanceof SourceFailure && asksToWait(error)) {
      await endPull(pulling, 'interrupted', error.message);
      const continuesAt = Date.now() + error.retryAfterMs;
      return {
        ...describePull({ ...pulling, result: 'waiting', continuesAt }),
        note: `${error.message} ${formatReached(pulling)}The next run continues at ${formatTime(continuesAt)} or later.`,
        exit: MUST_WAIT,
      };
    }
    if (!(error instanceof SourceFailure) && !(error instanceof Refusal)) throw error;
    await endPull(pulling, 'failed', error.message).catch(() => {}); // the database may be the problem
    throw withKept(error, pulling);
  }
}

async function pullAll(
  pulling: Pulling,
  { target, readSecret, stop, progress }: PullRun,
  options: PullOptions,
): Promise<void> {
  const showing = (text = '') => {
    const { added, updated, unchanged, rejected } = pulling.tally;
    const written = `${added + updated} written${formatBackTo(', ', pulling)}`;
    progress.to(added + updated + unchanged + rejected, text || written);
  };
  const whole: ProductTarget = {
    ...target,
    secret: await readSecret(),
    signal: stop.signal,
    onWait: (ms) => showing(`waiting ${Math.ceil(ms / 1000)} s`),
  };
  for await (const page of pullPages(whole, options)) {
    const gone = await findGone(pulling, page, whole);
    await applyPage(pulling, page, gone);
    showing();
  }
}

/** Reads the key that the owner has stored in the app. Throws `Refusal` if there is none, or it cannot be opened. */
async function readStored(engine: Engine, key: SourceKey, args: Args): Promise<string | undefined> {
  const stored = await engine.withWriter(({ pulls }) => pulls.find(key));
  if (stored === undefined)
    throw new Refusal(
      `Account ${key.account_id} has no source ${key.name} in the app; add it on the page Sources.`,
    );
  if (stored.sealed_key === null) return undefined;
  const { keyFileOf, openKey } = await import('./sealed-keys.ts');
  return openKey(await keyFileOf(args.need('database')), key, stored.sealed_key);
}

/** Adds to an error what is imported already. */
function withKept({ message }: Error, pulling: Pulling): Refusal {
  const { tally, isDry } = pulling;
  const written = tally.added + tally.updated;
  if (isDry || written === 0) return new Refusal(message);
  const kept = `${formatCount(written, 'memory is', 'memories are')} imported already${formatBackTo(', ', pulling)}.`;
  // A message without a full stop ends with a command to paste.
  return new Refusal(message.endsWith('.') ? `${message} ${kept}` : `${kept} ${message}`);
}
