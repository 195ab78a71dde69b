// Prints the figures of a soak test as lines.

import type { Now, Outcome } from './soak.ts';
import { riseOf } from './trend.ts';
import { JUDGED_MINUTES, secondHalf } from './verdict.ts';

/** Formats the progress as one line. */
export function showNow({ minutes, requests, writes, ...now }: Now): string {
  return [
    `${minutes.toFixed(1)} min`,
    `${requests} requests`,
    `${writes} writes`,
    `memory ${inMegabytes(now.rss)}`,
    `heap ${inMegabytes(now.heap)}`,
    `${now.fds} files`,
    `${now.connections} connections`,
    `event loop delay ${now.lag.toFixed(0)} ms`,
    `-wal ${inMegabytes(now.wal)}`,
  ].join(' | ');
}

/** Formats the result. */
export function showOutcome(outcome: Outcome): string {
  const { counts, done, before, after, memory, minutes, most, findings } = outcome;
  const pace = Math.round(counts.requests / minutes / 60);
  const judged = minutes < JUDGED_MINUTES ? ', too short to judge' : '';
  const from = (name: 'rss' | 'heap' | 'wal') =>
    `${inMegabytes(before[name])} → ${inMegabytes(after[name])}`;
  return [
    `${counts.requests} requests on ${counts.connections} connections, ${pace} a second; wrong: ${counts.wrongs}`,
    `asked: ${list(counts.kinds)}`,
    `clients: ${list(counts.manners)}`,
    `done beside: ${list(done)}`,
    `memory ${from('rss')}; its trend in the second half ${inMegabytes(riseOf(secondHalf(memory)))}${judged}`,
    `heap after garbage collection ${from('heap')}; files ${before.fds} → ${after.fds}; handles ${before.handles} → ${after.handles}`,
    `-wal ${from('wal')}, at most ${inMegabytes(most.wal)}; event loop delay at most ${most.lag.toFixed(0)} ms`,
    ...findings.map((finding) => `FOUND: ${finding}`),
    ...(findings.length === 0 ? ['it holds'] : []),
  ].join('\n');
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
