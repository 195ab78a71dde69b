// Time from the start of a process to its first response, by the clock and in CPU time, and its memory when idle.

import { setTimeout as pause } from 'node:timers/promises';

import { requireSame, type Contestant } from './contestants.ts';
import { askUntilAnswered, type Answer } from './request.ts';
import { withServers, type Running } from './server.ts';
import type { Sample } from './stats.ts';

const SETTLE_MS = 200;

/** Starts servers in turn, each until its first response. Returns the samples of each. */
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
