// Figures: what was tried, what came, and what the server holds.

import type { Answer } from './answers.ts';
import type { Held } from './server.ts';

/** What is counted. */
export interface Figures {
  readonly seconds: number;
  readonly connections: number;
  /** Requests, and bytes that stand in the place of one. */
  readonly requests: number;
  /** How many answers came, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly before: Held;
  readonly after: Held;
}

/** Counts. */
export type Count = ReturnType<typeof createCount>;

/** Starts to count. */
export function createCount(before: Held) {
  const started = performance.now();
  const answers: Record<string, number> = {};
  let stopped: number | undefined;
  let connections = 0;
  let requests = 0;
  return {
    /** Counts a connection: how many requests it had, and what came. */
    add: (sent: number, came: readonly Answer[]): void => {
      connections++;
      requests += sent;
      for (const { status } of came) answers[status] = (answers[status] ?? 0) + 1;
    },
    /** Stops the clock: what comes from now on was sent before. */
    stop: (): void => {
      stopped = performance.now();
    },
    /** What it has come to, with what the server holds now. */
    figures: (after: Held): Figures => {
      const seconds = ((stopped ?? performance.now()) - started) / 1000;
      return { seconds, connections, requests, answers: { ...answers }, before, after };
    },
  };
}

/** Says figures in lines. */
export function showFigures({ seconds, connections, requests, ...rest }: Figures): string {
  const { answers, before, after } = rest;
  const statuses = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
  const pace = Math.round(requests / seconds);
  return [
    `${requests} requests on ${connections} connections in ${seconds.toFixed(1)} s, ${pace} a second`,
    `answers by status: ${statuses.join(', ')}`,
    `the server holds ${after.megabytes} MB and ${after.descriptors} descriptors; at the beginning ${before.megabytes} MB and ${before.descriptors}`,
  ].join('\n');
}
