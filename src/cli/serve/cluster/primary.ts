// The primary process of a cluster: starts and restarts workers, writes their logs, and shuts them down.

import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

import { showDatabase } from '../../../store/address.ts';
import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import { VERSION } from '../../../version.ts';
import { createLogger, type ProgramLog } from '../../output/logger.ts';
import { aboutApp, DEFAULT_GRACE_MS, migrateFirst, warnAboutOptions } from '../listen.ts';
import type { ClusterMetricsServer } from '../metrics/cluster.ts';
import type { LogControl } from '../reload.ts';
import { shutDownOnSignal } from '../signals.ts';
import { inheritedSocket, type ListenAddress } from '../socket.ts';
import { prepareSocket } from '../unix-socket.ts';
import { startWorker, type WorkerExit, type WorkerHandle } from './child.ts';
import { runWorker, type WorkerOptions } from './worker.ts';

/** After this time the workers hang, or more connections arrive than they can accept. */
const MAX_QUEUE_WAIT_MS = 2000;

/** Returns whether connections may be waiting in node:cluster: it gives the next one to any worker that is free. */
export function isQueued(serving: ReadonlySet<Pick<WorkerHandle, 'isAccepting'>>): boolean {
  return serving.size > 0 && Array.from(serving).every((worker) => worker.isAccepting());
}

/** Waits until no connection is waiting, because node:cluster closes those unanswered when the last worker stops. */
export async function emptyQueue(
  serving: ReadonlySet<Pick<WorkerHandle, 'isAccepting'>>,
): Promise<void> {
  const ends = performance.now() + MAX_QUEUE_WAIT_MS;
  while (isQueued(serving) && performance.now() < ends) await sleep(1);
}

/** A worker that has not exited this long after its grace time hangs, and is killed. */
const HANG_MS = 2000;

/** A worker that exits sooner has failed. If all do so again and again, restarts wait, and stop in the end. */
const EARLY_EXIT_MS = 10_000;
const MAX_ROUNDS = 4;
const MAX_WAIT_MS = 5000;

/** Serves with `count` workers until a signal stops them, with a metrics server if it has an address. Rejects with `Refusal`. */
export async function serveWithWorkers(
  count: number,
  options: WorkerOptions,
  metricsAddress?: ListenAddress,
) {
  // Workers run the same command line as the primary.
  if (cluster.isWorker) return runWorker(options, metricsAddress !== undefined);
  if (inheritedSocket(process.pid) === undefined) await prepareSocket(options.host);
  const [database, graceMs] = [showDatabase(options.database), options.graceMs ?? DEFAULT_GRACE_MS];
  const settings = {
    count,
    database,
    graceMs,
    log: await createLogger(1, {
      level: options.control.settings().level,
      format: options.control.format,
    }),
    control: options.control,
    serving: new Set<WorkerHandle>(),
  };
  if (options.migrate) await migrateFirst(options.database, settings.log);
  const metrics =
    metricsAddress &&
    (await (await import('../metrics/cluster.ts')).openClusterMetrics(metricsAddress, settings)); // loads prom-client
  try {
    await supervise({
      ...settings,
      metrics,
      hasApp: options.app !== false,
      aboutApp: (url) => aboutApp(url, options),
      onListening: (url) => warnAboutOptions(settings.log.logger, url, options),
    });
  } finally {
    await metrics?.close();
  }
}

/** The settings of a cluster. */
interface ClusterSettings {
  readonly count: number;
  readonly database: string;
  readonly graceMs: number;
  readonly log: ProgramLog;
  readonly serving: Set<WorkerHandle>;
  readonly control: LogControl;
  readonly metrics: ClusterMetricsServer | undefined;
  readonly hasApp: boolean;
  /** Returns where the app is, for the log. */
  readonly aboutApp: (url: string) => object;
  /** Called with the URL each time all workers listen on a new one. */
  readonly onListening: (url: string) => void;
}

/** The workers and their state. */
interface Pool extends ClusterSettings {
  readonly running: Set<WorkerHandle>;
  /** How many workers in a row have exited early. */
  earlyExits: number;
  /** The URL, once all workers have listened. */
  url: string | undefined;
  readonly ending: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** Rejects when the primary gives up. */
  readonly failed: PromiseWithResolvers<never>;
}

function supervise(settings: ClusterSettings): Promise<never> {
  const pool: Pool = {
    ...settings,
    running: new Set(),
    earlyExits: 0,
    url: undefined,
    ending: new AbortController(),
    ended: Promise.withResolvers(),
    failed: Promise.withResolvers(),
  };
  shutDownOnSignal({
    log: pool.log,
    reload: pool.control.onHangUp(pool.log, (changed) =>
      pool.running.forEach((worker) => worker.change(changed)),
    ),
    stop: async () => {
      await stopAll(pool, 'stop');
      if (pool.hasApp) await engineOf(pool.database).tidy?.(); // the workers have written
      await pool.metrics?.close();
    },
    kill: () => pool.running.forEach((worker) => worker.kill()),
  });
  for (let i = 0; i < pool.count; i++) start(pool);
  return pool.failed.promise;
}

function start(pool: Pool): void {
  const worker = startWorker({
    onLine: pool.log.writeLine,
    onListening: (url) => onListening(pool, worker, url),
    onExit: (exit) => onExit(pool, worker, exit),
  });
  pool.running.add(worker);
}

function onListening(pool: Pool, worker: WorkerHandle, url: string): void {
  const { count, database, serving } = pool;
  const { logger } = pool.log;
  serving.add(worker);
  logger.info({ worker: worker.id, pid: worker.pid }, 'worker started');
  if (serving.size < count || url === pool.url) return;
  pool.url = url; // with --port 0 it changes if all workers died at once
  const metrics = pool.metrics && { admin: pool.metrics.url };
  const about = {
    ...pool.aboutApp(url),
    ...metrics,
    database,
    version: VERSION,
    node: process.versions.node,
  };
  logger.info({ url, ...about, workers: count }, 'listening');
  pool.onListening(url);
}

function onExit(pool: Pool, worker: WorkerHandle, { refused, ...exit }: WorkerExit): void {
  const { running, serving, log } = pool;
  running.delete(worker);
  serving.delete(worker);
  pool.metrics?.onExit(worker);
  if (pool.ending.signal.aborted) {
    if (running.size === 0) pool.ended.resolve();
    return;
  }
  pool.earlyExits = exit.lived_ms < EARLY_EXIT_MS ? pool.earlyExits + 1 : 0;
  const isStart = pool.url === undefined;
  if (!isStart || refused === undefined)
    log.logger.error({ worker: worker.id, ...exit, refused }, 'worker ended');
  if (isStart || (serving.size === 0 && pool.earlyExits >= MAX_ROUNDS * pool.count)) {
    const sentence = `Worker ${worker.id} ended (${exit.signal ?? exit.code}); its log may say why.`;
    void giveUp(pool, refused ?? sentence);
  } else void restart(pool);
}

/** Replaces a worker that exited: at once, or with a growing delay if workers exit early again and again. */
async function restart(pool: Pool): Promise<void> {
  const rounds = Math.floor(pool.earlyExits / pool.count);
  const wait = rounds < 2 ? 0 : Math.min(100 * 2 ** rounds, MAX_WAIT_MS);
  await sleep(wait, undefined, { signal: pool.ending.signal }).then(
    () => start(pool),
    () => {}, // the shutdown came first
  );
}

async function giveUp(pool: Pool, why: string): Promise<void> {
  await stopAll(pool, 'kill');
  pool.failed.reject(new Refusal(why));
}

/** Stops all workers. Workers that do not serve yet have nothing to finish and are killed. */
async function stopAll({ running, serving, ending, ended, graceMs }: Pool, how: 'stop' | 'kill') {
  ending.abort();
  if (how === 'stop' && isQueued(serving)) await emptyQueue(serving);
  for (const worker of running) {
    if (how === 'stop' && serving.has(worker)) worker.stop();
    else worker.kill();
  }
  if (running.size === 0) ended.resolve();
  const killer = setTimeout(() => running.forEach((worker) => worker.kill()), graceMs + HANG_MS);
  await ended.promise;
  clearTimeout(killer);
}
