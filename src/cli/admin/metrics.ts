// Metrics: all that one process counts and measures, ready to be asked for.

import type * as Prom from 'prom-client';

import type { Listening } from '../listen.ts';
import { measure } from './measure.ts';
import { processMetrics } from './process.ts';
import { countRequests, type Access } from './requests.ts';
import { measureServers } from './servers.ts';
import { measureService, type Service } from './service.ts';
import { servingMetrics, watchLoop } from './serving.ts';

/** Metrics as plain data, which processes may send each other. */
export type Samples = Awaited<ReturnType<Prom.Registry['getMetricsAsJSON']>>;

/** What a process counts. */
export interface Metrics {
  /** Counts a request by the line that the gateway has for it. */
  readonly access: Access;
  /** Measures a gateway and its server from now on. */
  readonly watch: (listening: Listening) => void;
  readonly read: () => Promise<Samples>;
}

/** Loads what makes metrics; a run that needs none does without. */
export function loadProm(): Promise<typeof Prom> {
  return import('prom-client');
}

/** Counts what a process that serves does; `service` where it is the only one. */
export function createMetrics(prom: typeof Prom, service?: Service): Metrics {
  const into = { prom, registry: new prom.Registry() };
  const access = countRequests(into);
  const loop = watchLoop();
  measure(into, [...loop.metrics, ...processMetrics]);
  if (service) measureService(into, service);
  return {
    access,
    watch(listening) {
      measure(into, servingMetrics(listening));
      measureServers(into, listening.gateway);
    },
    async read() {
      const samples = await into.registry.getMetricsAsJSON();
      loop.reset();
      return samples;
    },
  };
}
