// worker: one of several processes that serve, until the first process ends it or is gone.

import cluster from 'node:cluster';

import { Refusal } from '../store/refusal.ts';
import type { Metrics } from './admin/metrics.ts';
import type { Order, Told } from './fork.ts';
import { handedSocket } from './handed.ts';
import { listen, type ServeOptions } from './listen.ts';
import { createLogger } from './logger.ts';
import { findAnswer } from './questions.ts';
import { SIGNALS } from './signals.ts';

/** What is served, and where; a worker logs to the first process. */
export type WorkOptions = Omit<ServeOptions, 'log'>;

/**
 * Serves until the first process says stop, or is gone, and counts what it does where that is to be
 * watched. What it cannot do it tells that process.
 */
export async function work(options: WorkOptions, isWatched: boolean): Promise<void> {
  // A terminal signals every process of its group, and so do others: it is for the first one to say.
  for (const signal of SIGNALS) process.on(signal, doNothing);
  const log = await createLogger(1, 'info', { worker: cluster.worker?.id });
  process.on('uncaughtExceptionMonitor', (err) => log.logger.fatal({ err }, 'worker crashed'));
  try {
    const metrics = isWatched ? await loadMetrics() : undefined;
    const listening = await listen({
      ...options,
      fd: handedSocket(process.ppid),
      log,
      onAccess: metrics?.access,
    });
    metrics?.watch(listening);
    const { url, gateway, stop } = listening;
    const known = { metrics: () => metrics?.read() ?? [], ready: () => gateway.ready() };
    let isEnding = false;
    const end = async (): Promise<void> => {
      if (isEnding) return;
      isEnding = true;
      await stop();
      await log.end();
      process.exit(0);
    };
    process.on('message', (order: Order) => {
      if (order === 'stop') void end();
      else void findAnswer(order, known, log.logger).then((answer) => tell(answer));
    });
    cluster.worker?.on('disconnect', () => {
      // Node would end this process at once, in the middle of its answers.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      void end();
    });
    tell({ listening: url });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell({ refused: error.message }, () => process.exit(1));
  }
}

async function loadMetrics(): Promise<Metrics> {
  const { createMetrics, loadProm } = await import('./admin/metrics.ts');
  return createMetrics(await loadProm());
}

function doNothing(): void {}

function tell(told: Told, onSent: () => void = doNothing): void {
  cluster.worker?.send(told, onSent);
}
