// Rounds: every server is loaded in turn, again and again, so that what disturbs the machine disturbs all alike.

import { Refusal } from '../../src/store/refusal.ts';
import { askUntilAnswered, type Answer } from './ask.ts';
import { requireSame, type Contestant } from './contestants.ts';
import { load } from './load.ts';
import { withServers, type Running } from './server.ts';
import type { Sample } from './stats.ts';

/** How long is measured, and how often. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Long enough that V8 has compiled what every request runs. */
  readonly warmUpSeconds: number;
  /** How often servers are started, and whole lists read. */
  readonly starts: number;
  readonly lists: number;
  /** How many memories are imported, as often as lists are read. */
  readonly imports: number;
}

/** How servers are loaded, and what they must answer. */
interface Loading {
  readonly pace: Pace;
  readonly connections: number;
  /** The same of all; left out where each has its own answer, of 200. */
  readonly expected?: Answer;
}

/** Loads servers in interleaved rounds; returns the samples of each. */
export function runRounds(
  contestants: readonly Contestant[],
  { pace, connections, expected }: Loading,
): Promise<Sample[][]> {
  return withServers(
    contestants.map(({ program }) => program),
    async (servers) => {
      const pairs = contestants.map((contestant, i) => ({
        contestant,
        server: servers[i] as Running,
        samples: [] as Sample[],
      }));
      for (const { contestant, server } of pairs) {
        const answer = await askUntilAnswered(server, contestant.request);
        if (expected) requireSame(contestant, answer, expected);
      }
      for (const { contestant, server } of pairs)
        await sample(server, contestant, pace.warmUpSeconds);
      for (let round = 0; round < pace.rounds; round++) {
        for (const { contestant, server, samples } of pairs)
          samples.push(await sample(server, contestant, pace.seconds));
      }
      return pairs.map(({ samples }) => samples);
    },
  );

  async function sample(
    server: Running,
    { program, request, paths }: Contestant,
    seconds: number,
  ): Promise<Sample> {
    const before = await server.meter();
    const { port } = server;
    const seen = await load({ ...request, port, connections, seconds, paths });
    const after = await server.meter();
    const mustRefuse = expected !== undefined && expected.status >= 400;
    if (seen.refused !== (mustRefuse ? seen.requests : 0))
      throw new Refusal(`${program.name} answered with another status under load.`);
    return {
      cpuUs: (after.cpuUs - before.cpuUs) / seen.requests,
      perSecond: seen.requests / seen.seconds,
      p50Ms: seen.p50Ms,
      p99Ms: seen.p99Ms,
      peakBytes: after.peakBytes,
    };
  }
}
