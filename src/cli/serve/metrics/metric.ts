// Registers metrics whose values are read at each scrape.

import type * as Prom from 'prom-client';

import type { Awaitable } from '../../../lib/async.ts';

/** The metrics library, and the registry to add metrics to. */
export interface MetricTarget {
  readonly prom: typeof Prom;
  readonly registry: Prom.Registry;
}

/** A metric, and how to read its value. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  /** Returns undefined if the value is unknown; then the metric has none. */
  readonly read: () => Awaitable<number | undefined>;
}

/** Adds metrics to a registry. */
export function addMetrics({ prom, registry }: MetricTarget, all: readonly Metric[]): void {
  for (const { name, help, type, read } of all) {
    const options = { name, help, registers: [registry] };
    if (type === 'gauge') {
      const gauge = new prom.Gauge({
        ...options,
        async collect() {
          const value = await read();
          if (value === undefined) gauge.remove();
          else gauge.set(value);
        },
      });
    } else {
      const counter = new prom.Counter({
        ...options,
        async collect() {
          const value = (await read()) ?? 0;
          counter.reset();
          counter.inc(value);
        },
      });
    }
  }
}
