// Gather: the metrics of several processes, from those that answer in time.

import type * as Prom from 'prom-client';

import type { Ask } from '../questions.ts';
import type { Samples } from './metrics.ts';

/** A process that can be asked. */
export interface Askable {
  readonly ask: Ask;
}

/** Gathers metrics of processes. */
export interface Gather {
  /** Asks all; those that answered, and with them the counts of those that did not or are gone. */
  readonly ask: (all: Iterable<Askable>) => Promise<Gathered>;
  /** Keeps no more of one that has ended than its counts. */
  readonly end: (of: Askable) => void;
}

/** What was gathered, and from how many. */
export interface Gathered {
  readonly samples: readonly Samples[];
  readonly heard: number;
}

/**
 * Makes what gathers. The latest counts of a process stay when it ends or does not answer: a sum that
 * goes down is a restart to Prometheus, and all of it would be counted again.
 */
export function createGather(prom: typeof Prom): Gather {
  const latest = new Map<Askable, Samples>();
  let ended: Samples[] = [];

  return {
    async ask(all) {
      const heard = new Set<Askable>();
      const asked = Array.from(all, async (each) => {
        const samples = await each.ask('metrics');
        if (samples === undefined) return;
        latest.set(each, samples);
        heard.add(each);
      });
      await Promise.all(asked);
      const before = ended;
      ended = [];
      ended.push(await prom.AggregatorRegistry.aggregate(before).getMetricsAsJSON());
      const samples = Array.from(latest, ([of, read]) => (heard.has(of) ? read : countsOf(read)));
      return { samples: [...ended, ...samples], heard: heard.size };
    },
    end(of) {
      ended.push(countsOf(latest.get(of) ?? []));
      latest.delete(of);
    },
  };
}

/** Tells whether all that answer can serve, and anybody does. */
export async function areReady(all: Iterable<Askable>): Promise<boolean> {
  const answers = await Promise.all(Array.from(all, ({ ask }) => ask('ready')));
  return answers.includes(true) && !answers.includes(false);
}

/** What only ever grows. */
function countsOf(samples: Samples): Samples {
  return samples.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
