// workers: several processes serve one port; the first one keeps them, logs for them and ends them.

import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

import { VERSION } from '../gateway/version.ts';
import { showDatabase } from '../store/address.ts';
import { Refusal } from '../store/refusal.ts';
import type { WatchOfMany } from './admin/many.ts';
import type { Bind } from './bind.ts';
import { fork, type End, type Forked } from './fork.ts';
import { GRACE_MS } from './listen.ts';
import { createLogger, type ProgramLog } from './logger.ts';
import { emptyQueue, isQueued } from './queue.ts';
import { endOnSignal } from './signals.ts';
import { work, type WorkOptions } from './worker.ts';

/** A worker ends by itself within its grace; one that has not so much later, hangs. */
const HANG_MS = 2000;

/** One that lived shorter has failed: when all have, and again, the next wait, and at last none comes. */
const SOON_MS = 10_000;
const MAX_ROUNDS = 4;
const MAX_WAIT_MS = 5000;

/** Serves by so many processes until a signal ends them, with metrics where there is a place for them. Fails with `Refusal`. */
export async function serveByMany(count: number, options: WorkOptions, bind?: Bind) {
  // A worker has been started as this process was.
  if (cluster.isWorker) return work(options, bind !== undefined);
  const [database, graceMs] = [showDatabase(options.database), options.graceMs ?? GRACE_MS];
  const pool = { count, database, graceMs, log: await createLogger(1), serving: new Set<Forked>() };
  const admin = bind && (await (await import('./admin/many.ts')).openWatchOfMany(bind, pool));
  try {
    await keep({ ...pool, admin });
  } finally {
    await admin?.close();
  }
}

/** What workers are kept for. */
interface Keeping {
  readonly count: number;
  readonly database: string;
  readonly graceMs: number;
  readonly log: ProgramLog;
  readonly serving: Set<Forked>;
  readonly admin: WatchOfMany | undefined;
}

/** The workers, and what became of them. */
interface Pool extends Keeping {
  readonly running: Set<Forked>;
  /** How many have ended soon, in a row. */
  soon: number;
  /** Where they listen, once all have. */
  url: string | undefined;
  readonly ending: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** Why they cannot be kept. */
  readonly failed: PromiseWithResolvers<never>;
}

function keep(keeping: Keeping): Promise<never> {
  const pool: Pool = {
    ...keeping,
    running: new Set(),
    soon: 0,
    url: undefined,
    ending: new AbortController(),
    ended: Promise.withResolvers(),
    failed: Promise.withResolvers(),
  };
  endOnSignal({
    log: pool.log,
    stop: () => endAll(pool, 'stop').then(() => pool.admin?.close()),
    cut: () => pool.running.forEach((forked) => forked.kill()),
  });
  for (let i = 0; i < pool.count; i++) start(pool);
  return pool.failed.promise;
}

function start(pool: Pool): void {
  const forked = fork({
    onLine: pool.log.take,
    onListening: (url) => onListening(pool, forked, url),
    onEnd: (end) => onEnd(pool, forked, end),
  });
  pool.running.add(forked);
}

function onListening(pool: Pool, forked: Forked, url: string): void {
  const { count, database, serving } = pool;
  const { logger } = pool.log;
  serving.add(forked);
  logger.info({ worker: forked.id, pid: forked.pid }, 'worker started');
  if (serving.size < count || url === pool.url) return;
  pool.url = url; // of --port 0 there may be another, when all have died at once
  const admin = pool.admin && { admin: pool.admin.url };
  const about = { ...admin, database, version: VERSION, node: process.versions.node };
  logger.info({ url, ...about, workers: count }, 'listening');
}

function onEnd(pool: Pool, forked: Forked, { refused, ...end }: End): void {
  const { running, serving, log } = pool;
  running.delete(forked);
  serving.delete(forked);
  pool.admin?.end(forked);
  if (pool.ending.signal.aborted) {
    if (running.size === 0) pool.ended.resolve();
    return;
  }
  const worker = forked.id;
  pool.soon = end.lived_ms < SOON_MS ? pool.soon + 1 : 0;
  const isStart = pool.url === undefined;
  if (!isStart || refused === undefined)
    log.logger.error({ worker, ...end, refused }, 'worker ended');
  if (isStart || (serving.size === 0 && pool.soon >= MAX_ROUNDS * pool.count)) {
    const sentence = `Worker ${worker} ended (${end.signal ?? end.code}); its log may say why.`;
    void giveUp(pool, refused ?? sentence);
  } else void startLater(pool);
}

/** Starts a worker in place of one that ended: at once, but not where they end again and again. */
async function startLater(pool: Pool): Promise<void> {
  const rounds = Math.floor(pool.soon / pool.count);
  const wait = rounds < 2 ? 0 : Math.min(100 * 2 ** rounds, MAX_WAIT_MS);
  await sleep(wait, undefined, { signal: pool.ending.signal }).then(
    () => start(pool),
    () => {}, // the end has come first
  );
}

async function giveUp(pool: Pool, why: string): Promise<void> {
  await endAll(pool, 'kill');
  pool.failed.reject(new Refusal(why));
}

/** Ends all workers; those that do not serve yet have nothing to finish. */
async function endAll({ running, serving, ending, ended, graceMs }: Pool, how: 'stop' | 'kill') {
  ending.abort();
  if (how === 'stop' && isQueued(serving)) await emptyQueue(serving);
  for (const forked of running) {
    if (how === 'stop' && serving.has(forked)) forked.stop();
    else forked.kill();
  }
  if (running.size === 0) ended.resolve();
  const cut = setTimeout(() => running.forEach((forked) => forked.kill()), graceMs + HANG_MS);
  await ended.promise;
  clearTimeout(cut);
}
