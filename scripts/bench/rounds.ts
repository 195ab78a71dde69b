// Rounds: every server is loaded in turn, repeatedly, so that disturbances of the machine affect all of them alike.

import { Refusal } from '../../src/store/refusal.ts';
import { requireSame, type Contestant } from './contestants.ts';
import { load } from './load.ts';
import { inTurn, type Pace, type Samples } from './measurement.ts';
import { ask, askUntilAnswered, type Answer } from './request.ts';
import { withServers, type Running } from './server.ts';
import type { Sample } from './stats.ts';

/** What a round has at least, so that a request that is cut off at its end counts little. */
const FEWEST_RESPONSES = 10;
const LONGEST_SECONDS = 5;

/** Returns how long a round must be if a response takes this long. */
function enoughSeconds(ms: number): number {
  return Math.min((FEWEST_RESPONSES * ms) / 1000, LONGEST_SECONDS);
}

/** The load of servers, and the responses they must give. */
interface Loading {
  readonly pace: Pace;
  readonly connections: number;
  /** The response of all servers. Absent if each has its own response with status 200. */
  readonly expected?: Answer;
}

/** A server under load, and how long each load takes. */
interface Loaded extends Contestant {
  readonly server: Running;
  readonly seconds: number;
}

/** Loads servers in interleaved rounds. */
export function runRounds(
  contestants: readonly Contestant[],
  { pace, connections, expected }: Loading,
): Promise<Samples> {
  return withServers(contestants, async (servers) => {
    const pairs = contestants.map((contestant, i) => ({
      ...contestant,
      server: servers[i] as Running,
      seconds: pace.seconds,
    }));
    for (const pair of pairs) {
      const answer = await askUntilAnswered(pair.server, pair.request);
      if (expected) requireSame(pair, answer, expected);
      const start = performance.now();
      await ask(pair.server.port, pair.request);
      pair.seconds = Math.max(pace.seconds, enoughSeconds(performance.now() - start));
    }
    for (const pair of pairs)
      await sample({ ...pair, seconds: Math.max(pace.warmUpSeconds, pair.seconds) });
    return inTurn(pairs, pace.rounds, sample);
  });

  async function sample({ name, request, paths, server, seconds }: Loaded): Promise<Sample> {
    const before = await server.meter();
    const { port } = server;
    const seen = await load({ ...request, port, connections, seconds, paths });
    const after = await server.meter();
    const mustRefuse = expected !== undefined && expected.status >= 400;
    if (seen.refused !== (mustRefuse ? seen.requests : 0))
      throw new Refusal(`${name} answered with another status under load.`);
    return {
      cpuUs: (after.cpuUs - before.cpuUs) / seen.requests,
      perSecond: seen.requests / seen.seconds,
      p50Ms: seen.p50Ms,
      p99Ms: seen.p99Ms,
      peakBytes: after.peakBytes,
    };
  }
}
