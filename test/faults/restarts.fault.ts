// Restarts under load: what was answered was answered whole; and where the socket is handed over, nothing fails at all.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { sized, tell } from '../support/faults.ts';
import { hashOf, startLoad, type Load } from '../support/load.ts';
import { freePort } from '../support/port.ts';
import { start, stop, waitFor } from '../support/program.ts';
import { kill, startKeeper } from '../support/supervised.ts';
import { send } from '../support/wire.ts';
import { createWorld, memories } from '../support/world.ts';

const CALLERS = 8;

/** So many connections at once wait for a worker now and then. */
const MANY_CALLERS = 48;

/** A database, and what to ask of it: a list of 3 MB, a single memory, a page, and all changes. */
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

/** A moment between two rounds that is another each time, so that a signal meets answers at all stages. */
const somewhen = (round: number) => sleep((round * 37) % 200);

function tellLoad(t: TestContext, restarts: number, { outcomes }: Load): void {
  const { right, wrong, cut, unanswered, refused } = outcomes;
  tell(t, { restarts, right, wrong, cut, unanswered, refused });
}

describe('A restart under load', () => {
  it('cuts no answer, and ends well, each time', async (t) => {
    const { database, targets } = await createBusy(t);
    const port = await freePort();
    const restarts = sized(50, 4);
    const load = startLoad(port, targets, CALLERS);
    t.after(load.stop);
    for (let round = 0; round < restarts; round++) {
      const child = start(['serve', '--database', database, '--port', String(port)]);
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

  for (const [workers, callers, restarts] of [
    ['1', CALLERS, sized(20, 2)],
    ['2', MANY_CALLERS, sized(10, 2)],
  ] as const) {
    it(`fails no request where the next listens before the last one ends, for ${callers} callers and ${workers} of --workers`, async (t) => {
      const { database, targets } = await createBusy(t);
      const { child, port, serve } = await startKeeper(t);
      const serveNext = () => serve('--database', database, '--workers', workers);
      let last = await serveNext();
      // Many ask for what is short, so that connections come and go.
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
