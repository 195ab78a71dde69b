// Alone: the admin server of one process that serves by itself.

import type { Gateway } from '../../gateway/gateway.ts';
import type { ServeOptions } from '../listen.ts';
import { createMetrics, loadProm, type Metrics } from './metrics.ts';
import { openAdmin, type Admin, type AdminOptions } from './server.ts';

/** What counts requests, and shows the counts. */
export interface Watch extends Admin, Pick<Metrics, 'access' | 'watch'> {}

/** Opens the admin server of this process. Fails with `Refusal`. */
export async function openWatch(
  bind: AdminOptions['bind'],
  { database, log }: Pick<ServeOptions, 'database' | 'log'>,
): Promise<Watch> {
  const prom = await loadProm();
  let gateway: Gateway | undefined; // it is opened when this server listens
  const { access, watch, read } = createMetrics(prom, { database, workers: 1, heard: () => 1 });
  const admin = await openAdmin({
    prom,
    bind,
    log,
    read: async () => [await read()],
    isReady: async () => (await gateway?.ready()) ?? false,
  });
  return {
    ...admin,
    access,
    watch(listening) {
      gateway = listening.gateway;
      watch(listening);
    },
  };
}
