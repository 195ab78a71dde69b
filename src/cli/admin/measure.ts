// Measure: metrics whose values are read when somebody asks for them.

import type * as Prom from 'prom-client';

import type { Awaitable } from '../../contract/awaitable.ts';

/** What makes metrics, and where they are kept. */
export interface Into {
  readonly prom: typeof Prom;
  readonly registry: Prom.Registry;
}

/** Where a metric has its value from, and what it is for several processes together: their sum, if left out. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly together?: 'sum' | 'min' | 'max';
  /** Gives undefined where it cannot be told; then the metric has no value. */
  readonly read: () => Awaitable<number | undefined>;
}

/** Adds metrics that are read when they are asked for. */
export function measure({ prom, registry }: Into, all: readonly Measured[]): void {
  for (const { name, help, type, together = 'sum', read } of all) {
    const options = { name, help, registers: [registry], aggregator: together };
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
