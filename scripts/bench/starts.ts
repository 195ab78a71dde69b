// From the start of the process to its first answer, by the clock and of CPU, and what it takes of memory when nobody asks.

import { setTimeout as pause } from 'node:timers/promises';

import { askUntilAnswered, type Answer } from './ask.ts';
import { requireSame, type Contestant } from './contestants.ts';
import { withServers, type Running } from './server.ts';
import type { Sample } from './stats.ts';

const SETTLE_MS = 200;

/** Starts servers in turn, each until it has answered; returns the samples of each. */
export async function runStarts(
  contestants: readonly Contestant[],
  { times, expected }: { times: number; expected: Answer },
): Promise<Sample[][]> {
  const samples: Sample[][] = contestants.map(() => []);
  for (let i = 0; i < times; i++) {
    for (const [who, contestant] of contestants.entries())
      samples[who]?.push(
        await withServers([contestant.program], ([server]) =>
          startOnce(server as Running, contestant, expected),
        ),
      );
  }
  return samples;
}

async function startOnce(
  server: Running,
  contestant: Contestant,
  expected: Answer,
): Promise<Sample> {
  const answer = await askUntilAnswered(server, contestant.request);
  const firstAnswerMs = performance.now() - server.startedAt;
  const { cpuUs: firstAnswerCpuUs } = await server.meter();
  requireSame(contestant, answer, expected);
  await pause(SETTLE_MS);
  const { residentBytes } = await server.meter();
  return { firstAnswerMs, firstAnswerCpuUs, idleBytes: residentBytes };
}
