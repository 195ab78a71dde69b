// A worker process of a cluster: serves until the primary stops it or is gone.

import cluster from 'node:cluster';

import { Refusal } from '../../../store/refusal.ts';
import { createLogger } from '../../output/logger.ts';
import { SIGNALS } from '../../signals.ts';
import { startServer, type ServeOptions } from '../listen.ts';
import type { ProcessMetrics } from '../metrics/registry.ts';
import type { LogControl } from '../reload.ts';
import { inheritedSocket } from '../socket.ts';
import type { PrimaryMessage, WorkerMessage } from './child.ts';
import { handleRpc } from './rpc.ts';

/** What to serve, and where. Workers log through the primary. */
export interface WorkerOptions extends Omit<ServeOptions, 'log'> {
  readonly control: LogControl;
}

/**
 * Serves until the primary says stop or is gone, and counts requests if there is a metrics server. Sends
 * a `Refusal` to the primary.
 */
export async function runWorker(
  { control, ...options }: WorkerOptions,
  hasMetrics: boolean,
): Promise<void> {
  // A terminal signals the whole process group, but only the primary decides when to stop.
  for (const signal of SIGNALS) process.on(signal, doNothing);
  const log = await createLogger(1, {
    level: control.settings().level,
    format: 'json', // the primary reads it
    base: { worker: cluster.worker?.id },
  });
  process.on('uncaughtExceptionMonitor', (err) => log.logger.fatal({ err }, 'worker crashed'));
  try {
    const metrics = hasMetrics ? await loadMetrics() : undefined;
    const running = await startServer({
      ...options,
      fd: inheritedSocket(process.ppid),
      log,
      onAccess: metrics?.access,
    });
    metrics?.watch(running);
    const { url, gateway, stop } = running;
    const methods = { metrics: () => metrics?.read() ?? [], ready: () => gateway.ready() };
    let isStopping = false;
    const shutDown = async (): Promise<void> => {
      if (isStopping) return;
      isStopping = true;
      await stop();
      await log.end();
      process.exit(0);
    };
    process.on('message', (message: PrimaryMessage) => {
      if (message === 'stop') void shutDown();
      else if ('change' in message) control.change(log, message.change);
      else void handleRpc(message, methods, log.logger).then((response) => send(response));
    });
    cluster.worker?.on('disconnect', () => {
      // Without this, Node would exit at once, in the middle of responses.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      void shutDown();
    });
    send({ listening: url });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ refused: error.message }, () => process.exit(1));
  }
}

async function loadMetrics(): Promise<ProcessMetrics> {
  const { createMetrics, loadProm } = await import('../metrics/registry.ts');
  return createMetrics(await loadProm());
}

function doNothing(): void {}

function send(message: WorkerMessage, onSent: () => void = doNothing): void {
  cluster.worker?.send(message, onSent);
}
