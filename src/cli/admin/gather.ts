// Gather: the metrics of several processes, from those that answer in time.

import type * as Prom from 'prom-client';

import type { Samples } from './metrics.ts';

/** A process that can be asked for its metrics. */
export interface Asked {
  /** Returns false where it cannot be asked any more. */
  askMetrics(): boolean;
}

/** Gathers metrics of processes. */
export interface Gather {
  /** Asks all; those that answered, and with them the counts of those that did not or are gone. */
  readonly ask: (all: Iterable<Asked>) => Promise<Gathered>;
  /** Takes what one has answered. */
  readonly take: (from: Asked, samples: Samples) => void;
  /** Keeps no more of one that has ended than its counts. */
  readonly end: (of: Asked) => void;
}

/** What was gathered, and from how many. */
export interface Gathered {
  readonly samples: readonly Samples[];
  readonly heard: number;
}

/** One that hangs must not keep the others' metrics back; who asks for them waits 10 s as a rule. */
const WAIT_MS = 1000;

/**
 * Makes what gathers. The latest counts of a process stay when it ends or does not answer: a sum that
 * goes down is a restart to Prometheus, and all of it would be counted again.
 */
export function createGather(prom: typeof Prom): Gather {
  const latest = new Map<Asked, Samples>();
  let ended: Samples[] = [];
  let silent = new Set<Asked>();
  let heard = new Set<Asked>();
  let onAll: (() => void) | undefined;

  function hear(from: Asked): void {
    silent.delete(from);
    if (silent.size === 0) onAll?.();
  }

  return {
    async ask(all) {
      heard = new Set();
      silent = new Set(Array.from(all).filter((each) => each.askMetrics()));
      if (silent.size > 0) await within(WAIT_MS, (resolve) => (onAll = resolve));
      const before = ended;
      ended = [];
      ended.push(await prom.AggregatorRegistry.aggregate(before).getMetricsAsJSON());
      const samples = Array.from(latest, ([of, read]) => (heard.has(of) ? read : countsOf(read)));
      return { samples: [...ended, ...samples], heard: heard.size };
    },
    take(from, samples) {
      latest.set(from, samples);
      heard.add(from);
      hear(from);
    },
    end(of) {
      ended.push(countsOf(latest.get(of) ?? []));
      latest.delete(of);
      hear(of);
    },
  };
}

/** What only ever grows. */
function countsOf(samples: Samples): Samples {
  return samples.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

/** Waits until `start` is called back, or the time is over. */
async function within(ms: number, start: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, ms);
  start(resolve);
  await promise;
  clearTimeout(late);
}
