// Restarts under load: started responses are complete, and with socket activation no request fails.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { hashOf, startLoad, type Load } from '../support/damage/load-callers.ts';
import { tell } from '../support/damage/trial.ts';
import { kill, startKeeper } from '../support/processes/socket-activation.ts';
import { send } from '../support/wire/wire.ts';
import { freePort } from '../support/world/free-port.ts';
import { startProcess, stop, waitFor } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const CALLERS = 8;

/** With this many connections, some wait to be accepted. */
const MANY_CALLERS = 48;

/**
 * Creates a database and the requests to send: a list of 3 MB, a single memory, a page, and all
 * changes.
 */
async function createBusy(t: TestContext) {
  const world = await createWorld(t);
  const long = memories(100).map((each) => ({
    ...each,
    transcript: randomBytes(22_500).toString('base64'),
  }));
  const key = world.addAccount('ana', long);
  const paths = ['/v1/memories', '/v1/memories/m007', '/v1/memories?limit=5', '/v1/changes'];
  const targets = await Promise.all(
    paths.map(async (path) => {
      const { status, body } = await send(world.port, { key, path });
      assert.equal(status, 200, path);
      return { path, key, hash: hashOf(body) };
    }),
  );
  return { database: world.database, targets };
}

/** Pauses for a different time in each round, so that the signal hits responses at all stages. */
const somewhen = (round: number) => sleep((round * 37) % 200);

function tellLoad(t: TestContext, restarts: number, { outcomes }: Load): void {
  const { right, wrong, cut, unanswered, refused } = outcomes;
  tell(t, { restarts, right, wrong, cut, unanswered, refused });
}

describe('A restart under load', () => {
  it('cuts off no response, and exits with 0, each time', async (t) => {
    const { database, targets } = await createBusy(t);
    const port = await freePort();
    const restarts = sized(50, 4);
    const load = startLoad(port, targets, CALLERS);
    t.after(load.stop);
    for (let round = 0; round < restarts; round++) {
      const child = startProcess(['serve', '--database', database, '--port', String(port)]);
      t.after(() => child.kill('SIGKILL'));
      await waitFor(child, 'stdout', /"listening"/);
      await load.more(CALLERS);
      await somewhen(round);
      assert.equal(await stop(child), 0);
    }
    await load.stop();
    tellLoad(t, restarts, load);
    assert.ok(load.outcomes.right >= restarts * CALLERS);
    assert.deepEqual([load.outcomes.wrong, load.outcomes.cut], [0, 0]);
  });

  for (const [callers, restarts] of [
    [CALLERS, sized(20, 2)],
    [MANY_CALLERS, sized(10, 2)],
  ] as const) {
    it(`fails no request if the next process listens before the last one ends, for ${callers} callers`, async (t) => {
      const { database, targets } = await createBusy(t);
      const { child, port, serve } = await startKeeper(t);
      const serveNext = () => serve('--database', database);
      let last = await serveNext();
      // Many clients send short requests, so that connections come and go.
      const asked = callers > CALLERS ? targets.slice(1, 3) : targets;
      const load = startLoad(port, asked, callers);
      t.after(load.stop);
      for (let round = 0; round < restarts; round++) {
        const next = await serveNext();
        await load.more(callers);
        await somewhen(round);
        const stopped = waitFor(child, 'stdout', /"stopped"/);
        kill(last, 'SIGTERM');
        await stopped;
        last = next;
      }
      await load.more(callers);
      await load.stop();
      tellLoad(t, restarts, load);
      const { right, ...others } = load.outcomes;
      assert.ok(right >= restarts * callers);
      assert.deepEqual(others, { wrong: 0, cut: 0, unanswered: 0, refused: 0 });
    });
  }
});
