// Many: the admin server of the first of several processes, which asks those that serve.

import type { ServeOptions } from '../listen.ts';
import { areReady, createGather, type Askable, type Gather } from './gather.ts';
import { measure } from './measure.ts';
import { loadProm } from './metrics.ts';
import { processMetrics } from './process.ts';
import { openAdmin, type Admin, type AdminOptions } from './server.ts';
import { measureService } from './service.ts';

/** The processes that serve, and what they serve. */
export interface Workers extends Pick<ServeOptions, 'database' | 'log'> {
  readonly count: number;
  readonly serving: Iterable<Askable>;
}

/** Shows what workers have counted; it is told of their ends. */
export interface WatchOfMany extends Admin, Pick<Gather, 'end'> {}

/** Opens the admin server of the first process. Fails with `Refusal`. */
export async function openWatchOfMany(
  bind: AdminOptions['bind'],
  { database, log, count, serving }: Workers,
): Promise<WatchOfMany> {
  const prom = await loadProm();
  const { ask, end } = createGather(prom);
  const own = { prom, registry: new prom.Registry() };
  let heard = 0;
  measureService(own, { database, workers: count, heard: () => heard });
  measure(own, [
    ...processMetrics,
    {
      name: 'memory_gateway_ready',
      help: 'Whether anybody serves.',
      type: 'gauge',
      together: 'min',
      read: () => Math.min(1, heard),
    },
  ]);
  const read = async () => {
    const gathered = await ask(serving);
    heard = gathered.heard;
    return [...gathered.samples, await own.registry.getMetricsAsJSON()];
  };
  const isReady = () => areReady(serving);
  const admin = await openAdmin({ prom, bind, log, read, isReady });
  return { ...admin, end };
}
