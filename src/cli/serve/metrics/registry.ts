// Creates all metrics of one process.

import type * as Prom from 'prom-client';

import type { RunningServer } from '../listen.ts';
import {
  processMetrics,
  servingMetrics,
  eventLoopMetrics,
  addServiceMetrics,
  type ServiceInfo,
} from './collectors.ts';
import { addDatabaseServerMetrics } from './database-servers.ts';
import { addMetrics } from './metric.ts';
import { countRequests, type OnAccess } from './requests.ts';

/** Metrics as plain data, which processes can send to each other. */
export type MetricSamples = Awaited<ReturnType<Prom.Registry['getMetricsAsJSON']>>;

/** The metrics of a process. */
export interface ProcessMetrics {
  /** Counts a request from its access log entry. */
  readonly access: OnAccess;
  /** Starts to measure a gateway and its server. */
  readonly watch: (listening: RunningServer) => void;
  readonly read: () => Promise<MetricSamples>;
}

/** Loads the metrics library, which only a metrics server needs. */
export function loadProm(): Promise<typeof Prom> {
  return import('prom-client');
}

/** Creates the metrics of a process that serves. `service` is given if it is the only process. */
export function createMetrics(prom: typeof Prom, service?: ServiceInfo): ProcessMetrics {
  const into = { prom, registry: new prom.Registry() };
  const access = countRequests(into);
  const loop = eventLoopMetrics();
  addMetrics(into, [...loop.metrics, ...processMetrics]);
  if (service) addServiceMetrics(into, service);
  return {
    access,
    watch(listening) {
      addMetrics(into, servingMetrics(listening));
      addDatabaseServerMetrics(into, listening.gateway);
    },
    async read() {
      const samples = await into.registry.getMetricsAsJSON();
      loop.reset();
      return samples;
    },
  };
}
