// The metrics server of a cluster's primary, which collects the metrics of all workers.

import type * as Prom from 'prom-client';

import type { RpcCall } from '../cluster/rpc.ts';
import type { ServeOptions } from '../listen.ts';
import { processMetrics, addServiceMetrics } from './collectors.ts';
import { addMetrics } from './metric.ts';
import { loadProm } from './registry.ts';
import type { MetricSamples } from './registry.ts';
import { openMetricsServer, type MetricsServer, type MetricsServerOptions } from './server.ts';

/** A process whose metrics can be read. */
export interface MetricsSource {
  readonly call: RpcCall;
}

/** Aggregates the metrics of several processes. */
export interface MetricsAggregator {
  /** Reads the metrics of all sources. Uses the last counts of sources that do not respond or are gone. */
  readonly read: (all: Iterable<MetricsSource>) => Promise<AggregatedMetrics>;
  /** Keeps the counts of a process that has exited, and forgets its gauges. */
  readonly onExit: (source: MetricsSource) => void;
}

/** The metrics, and how many sources responded. */
export interface AggregatedMetrics {
  readonly samples: readonly MetricSamples[];
  readonly responding: number;
}

/**
 * Creates an aggregator. The last counts of a process stay when it exits or does not respond:
 * Prometheus takes a falling sum for a restart, and would count all of it again.
 */
export function createAggregator(prom: typeof Prom): MetricsAggregator {
  const latest = new Map<MetricsSource, MetricSamples>();
  let ended: MetricSamples[] = [];

  return {
    async read(all) {
      const responding = new Set<MetricsSource>();
      const calls = Array.from(all, async (each) => {
        const samples = await each.call('metrics');
        if (samples === undefined) return;
        latest.set(each, samples);
        responding.add(each);
      });
      await Promise.all(calls);
      const before = ended;
      ended = [];
      ended.push(await prom.AggregatorRegistry.aggregate(before).getMetricsAsJSON());
      const samples = Array.from(latest, ([source, read]) =>
        responding.has(source) ? read : countsOf(read),
      );
      return { samples: [...ended, ...samples], responding: responding.size };
    },
    onExit(source) {
      ended.push(countsOf(latest.get(source) ?? []));
      latest.delete(source);
    },
  };
}

/** Returns whether at least one process can serve, and none says that it cannot. */
export async function areReady(all: Iterable<MetricsSource>): Promise<boolean> {
  const answers = await Promise.all(Array.from(all, ({ call }) => call('ready')));
  return answers.includes(true) && !answers.includes(false);
}

/** Returns the metrics that only grow. */
function countsOf(samples: MetricSamples): MetricSamples {
  return samples.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

/** The workers, and what they serve. */
export interface Cluster extends Pick<ServeOptions, 'database' | 'log'> {
  readonly count: number;
  readonly serving: Iterable<MetricsSource>;
}

/** The metrics server of a cluster. */
export interface ClusterMetricsServer extends MetricsServer, Pick<MetricsAggregator, 'onExit'> {}

/** Opens the metrics server of the primary. Rejects with `Refusal`. */
export async function openClusterMetrics(
  bind: MetricsServerOptions['bind'],
  { database, log, count, serving }: Cluster,
): Promise<ClusterMetricsServer> {
  const prom = await loadProm();
  const aggregator = createAggregator(prom);
  const own = { prom, registry: new prom.Registry() };
  let responding = 0;
  addServiceMetrics(own, { database, workers: count, responding: () => responding });
  addMetrics(own, [
    ...processMetrics,
    {
      name: 'memory_gateway_ready',
      help: '1 if a process can serve requests, otherwise 0.',
      type: 'gauge',
      aggregate: 'min',
      read: () => Math.min(1, responding),
    },
  ]);
  const read = async () => {
    const aggregated = await aggregator.read(serving);
    responding = aggregated.responding;
    return [...aggregated.samples, await own.registry.getMetricsAsJSON()];
  };
  const isReady = () => areReady(serving);
  const server = await openMetricsServer({ prom, bind, log, read, isReady });
  return { ...server, onExit: aggregator.onExit };
}
