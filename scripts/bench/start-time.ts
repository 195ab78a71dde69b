// Time from the start of a process to its first response, by the clock and in CPU time, and its memory when idle.

import { setTimeout as pause } from 'node:timers/promises';

import { requireSame, type Contestant } from './contestants.ts';
import { inTurn, type Samples } from './measurement.ts';
import { askUntilAnswered, type Answer } from './request.ts';
import { withServer, type Running } from './server.ts';
import type { Sample } from './stats.ts';

const SETTLE_MS = 200;

/** Starts servers in turn, each until its first response. */
export function runStarts(
  contestants: readonly Contestant[],
  { times, expected }: { times: number; expected: Answer },
): Promise<Samples> {
  return inTurn(contestants, times, (each) =>
    withServer(each, (server) => startOnce(server, each, expected)),
  );
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
