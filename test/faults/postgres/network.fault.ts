// The network before PostgreSQL slow, silent or broken: no answer is another's, none is late, and connections come back.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { sized, tell } from '../../support/faults.ts';
import { connectOn } from '../../support/gateway.ts';
import { noPostgres, startOwn } from '../../support/own.ts';
import { openRelay, type Weather } from '../../support/relay.ts';
import { besiege } from '../../support/siege.ts';
import { send } from '../../support/wire.ts';

/** A statement is given up after 200 ms by the server, and after 1.2 s by us. */
const STATEMENT_MS = 200;

const WEATHERS: Readonly<Record<string, Weather>> = {
  'holds answers back, some until they were given up': {
    delayMs: () => (Math.random() < 0.9 ? Math.random() * 30 : 1000 + Math.random() * 600),
  },
  'breaks in the middle of answers': { cutAfter: () => 800 + Math.random() * 40_000 },
  'resets connections in the middle of answers': {
    cutAfter: () => 800 + Math.random() * 40_000,
    isReset: true,
  },
  'breaks as connections are made': { cutAfter: () => Math.random() * 600 },
  'swallows all': { isSilent: true },
};

/** In which of these answers are given up, and not only asked for once more. */
const GIVEN_UP = new Set(['holds answers back, some until they were given up', 'swallows all']);

describe('A network before PostgreSQL', { skip: noPostgres }, () => {
  it('gives nobody the answer of another, nor a late one, whatever it does', async (t) => {
    const own = await startOwn(t);
    const relay = await openRelay(t, own.primary.port);
    const address = relay.address(own.database);
    const { port, log } = await connectOn(t, address, { statementMs: STATEMENT_MS });
    for (const [name, weather] of Object.entries(WEATHERS))
      await t.test(`that ${name}`, async (one) => {
        const siege = await besiege(own, [port], 20);
        one.after(siege.stop);
        const rounds = sized(10, 1);
        for (let round = 0; round < rounds; round++) {
          await siege.more(40);
          relay.weather = weather;
          if (weather.cutAfter) relay.cutAll(); // what there is was made in fair weather
          await sleep(sized(6000, 2000));
          relay.weather = {};
          await siege.more(40);
        }
        await siege.stop();
        const { wrong, late, unreached, ...others } = siege.outcomes;
        tell(one, { rounds, ...others, logged: log.length });
        assert.deepEqual([siege.wrongs, wrong, late, unreached], [[], 0, 0, 0]);
        assert.deepEqual(
          log.filter((each) => each.startsWith('NOT')),
          [],
        );
        if (GIVEN_UP.has(name)) assert.ok(others.failed > 0, 'nothing was given up');
        assert.equal((await send(port, { path: '/readyz' })).status, 200);
        assert.ok(relay.count() <= 10, `${relay.count()} connections`);
      });
  });

  it('that has dropped all idle connections fails no request: each is asked once more, on a new one', async (t) => {
    const own = await startOwn(t);
    const relay = await openRelay(t, own.primary.port);
    const { port, log, gateway } = await connectOn(t, relay.address(own.database));
    const path = '/v1/memories/m007';
    const askMany = () =>
      Promise.all(Array.from({ length: 10 }, () => send(port, { path, key: own.key })));
    for (let round = 0; round < sized(50, 5); round++) {
      for (const { status } of await askMany()) assert.equal(status, 200);
      relay.cutAll(); // in the turn in which they are asked, so that nobody has noticed
      for (const { status } of await askMany()) assert.equal(status, 200);
    }
    assert.deepEqual(log, []);

    relay.weather = { isSilent: true };
    await gateway.close(); // which would wait for ever for a goodbye
    assert.equal(relay.count(), 0);
  });
});
