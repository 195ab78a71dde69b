// The statistics of a fuzz run: scripts sent, responses received, and resources of the server.

import type { Answer } from './read-responses.ts';
import type { Held } from './server.ts';

/** The counters of a fuzz run. */
export interface Figures {
  readonly seconds: number;
  readonly connections: number;
  /** Requests, including byte sequences sent instead of one. */
  readonly requests: number;
  /** Number of responses by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
}

/** Counts. */
export type Count = ReturnType<typeof createCount>;

/** Creates the counters. */
export function createCount(before: Held) {
  const started = performance.now();
  const answers: Record<string, number> = {};
  let stopped: number | undefined;
  let connections = 0;
  let requests = 0;
  return {
    /** Counts a connection, its requests and its responses. */
    add: (sent: number, came: readonly Answer[]): void => {
      connections++;
      requests += sent;
      for (const { status } of came) answers[status] = (answers[status] ?? 0) + 1;
    },
    /** Stops the clock. Later responses belong to requests sent before. */
    stop: (): void => {
      stopped = performance.now();
    },
    /** Returns the figures, with the server's current resources. */
    figures: (after: Held): Figures => {
      const seconds = ((stopped ?? performance.now()) - started) / 1000;
      return { seconds, connections, requests, answers: { ...answers }, before, after };
    },
  };
}

/** Formats the figures as lines. */
export function showFigures({ seconds, connections, requests, ...rest }: Figures): string {
  const { answers, before, after } = rest;
  const statuses = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
  const pace = Math.round(requests / seconds);
  return [
    `${requests} requests on ${connections} connections in ${seconds.toFixed(1)} s, ${pace} a second`,
    `responses by status: ${statuses.join(', ')}`,
    `the server holds ${after.megabytes} MB and ${after.descriptors} descriptors, at the beginning ${before.megabytes} MB and ${before.descriptors}`,
  ].join('\n');
}
