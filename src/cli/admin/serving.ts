// Serving: what is measured of a process that answers requests.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';

import type { CacheStats } from '../../gateway/cache.ts';
import type { Listening } from '../listen.ts';
import type { Measured } from './measure.ts';

/** The loop is looked at so often; what it says is how long it took. */
const LOOK_MS = 20;

/** Measures how late the event loop is, until the process ends. */
export function watchLoop(): { readonly metrics: readonly Measured[]; reset(): void } {
  const loop = monitorEventLoopDelay({ resolution: LOOK_MS });
  loop.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOK_MS / 1000);
  const metric = (name: string, what: string, read: () => number): Measured => ({
    name: `memory_gateway_event_loop_lag_${name}_seconds`,
    help: `How late the event loop was since it was last asked: ${what}.`,
    type: 'gauge',
    together: 'max',
    read: () => late(read()),
  });
  return {
    metrics: [
      metric('p50', 'the median', () => loop.percentile(50)),
      metric('p99', 'the 99th percentile', () => loop.percentile(99)),
      metric('max', 'the most', () => loop.max),
    ],
    reset: () => loop.reset(),
  };
}

/** What is measured of a gateway and its server. */
export function servingMetrics({ gateway, server }: Listening): readonly Measured[] {
  const ofCache = (count: keyof CacheStats) => () => gateway.stats().cache[count];
  return [
    {
      name: 'memory_gateway_ready',
      help: '1 when requests can be answered, as /readyz says, else 0.',
      type: 'gauge',
      together: 'min',
      read: async () => Number(await gateway.ready()),
    },
    {
      name: 'memory_gateway_connections',
      help: 'Connections that are open.',
      type: 'gauge',
      read: promisify(server.getConnections.bind(server)),
    },
    {
      name: 'memory_gateway_cache_hits_total',
      help: 'Answers that were found in the cache.',
      type: 'counter',
      read: ofCache('hits'),
    },
    {
      name: 'memory_gateway_cache_misses_total',
      help: 'Answers that had to be made.',
      type: 'counter',
      read: ofCache('misses'),
    },
    {
      name: 'memory_gateway_cache_entries',
      help: 'Answers in the cache.',
      type: 'gauge',
      read: ofCache('entries'),
    },
    {
      name: 'memory_gateway_cache_bytes',
      help: 'Memory that the cache takes.',
      type: 'gauge',
      read: ofCache('bytes'),
    },
  ];
}
