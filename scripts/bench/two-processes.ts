// Two processes, each on a server of its own, compared with one of them alone, in turn and with the same load per process.

import { Refusal } from '../../src/store/refusal.ts';
import { load } from './load.ts';
import { named, type Samples } from './measurement-input.ts';
import { askUntilAnswered, type Request } from './request.ts';
import type { Pace } from './rounds.ts';
import { withServers, type Program, type Running } from './server.ts';
import type { Sample } from './stats.ts';

interface Asked {
  readonly pace: Pace;
  readonly request: Request;
  /** For each process. */
  readonly connections: number;
}

/** Loads the first alone and then both at once, round after round. */
export function runTwo(programs: readonly [Program, Program], asked: Asked): Promise<Samples> {
  const { pace, request } = asked;
  return withServers(programs, async (servers) => {
    const sides = [servers.slice(0, 1), servers];
    const samples: [Sample[], Sample[]] = [[], []];
    for (const server of servers) await askUntilAnswered(server, request);
    for (const side of sides) await loadAll(side, asked, pace.warmUpSeconds);
    for (let round = 0; round < pace.rounds; round++)
      for (const [i, side] of sides.entries())
        samples[i]?.push(await loadAll(side, asked, pace.seconds));
    return named(['one on one', 'two on two'], samples);
  });
}

async function loadAll(
  servers: readonly Running[],
  { request, connections }: Asked,
  seconds: number,
): Promise<Sample> {
  const before = await used(servers);
  const seen = await Promise.all(
    servers.map(({ port }) => load({ ...request, port, connections, seconds })),
  );
  const cpuUs = (await used(servers)) - before;
  if (seen.some(({ refused }) => refused > 0))
    throw new Refusal('A server answered with another status under load.');
  const requests = seen.reduce((sum, each) => sum + each.requests, 0);
  return {
    cpuUs: cpuUs / requests,
    perSecond: seen.reduce((sum, each) => sum + each.requests / each.seconds, 0),
    p50Ms: Math.max(...seen.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...seen.map(({ p99Ms }) => p99Ms)),
  };
}

async function used(servers: readonly Running[]): Promise<number> {
  const meters = await Promise.all(servers.map((server) => server.meter()));
  return meters.reduce((sum, { cpuUs }) => sum + cpuUs, 0);
}
