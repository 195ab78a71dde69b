// A slow, silent or broken network before PostgreSQL: no response is wrong or late, and connections recover.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { besiege } from '../../support/damage/callers-under-fault.ts';
import { tell } from '../../support/damage/trial.ts';
import { noPostgres, startOwn } from '../../support/engines/own-server.ts';
import { connectOn } from '../../support/engines/postgres-gateway.ts';
import { openRelay, type Weather } from '../../support/wire/network-relay.ts';
import { send } from '../../support/wire/wire.ts';
import { sized } from '../../support/world/thorough.ts';

/** The server cancels a statement after 200 ms, and the gateway gives it up after 1.2 s. */
const STATEMENT_MS = 200;

const WEATHERS: Readonly<Record<string, Weather>> = {
  'delays responses, some beyond the timeout': {
    delayMs: () => (Math.random() < 0.9 ? Math.random() * 30 : 1000 + Math.random() * 600),
  },
  'breaks in the middle of responses': { cutAfter: () => 800 + Math.random() * 40_000 },
  'resets connections in the middle of responses': {
    cutAfter: () => 800 + Math.random() * 40_000,
    isReset: true,
  },
  'breaks while connections are made': { cutAfter: () => Math.random() * 600 },
  'swallows all': { isSilent: true },
};

/** The faults that make the gateway give up statements, instead of only retrying them. */
const GIVEN_UP = new Set(['delays responses, some beyond the timeout', 'swallows all']);

describe('A network to PostgreSQL', { skip: noPostgres }, () => {
  it('never gives a client a response of another request or a late one, whatever its fault', async (t) => {
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
          if (weather.cutAfter) relay.cutAll(); // the idle connections were made without a fault
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
        if (GIVEN_UP.has(name)) assert.ok(others.failed > 0, 'statements were given up');
        assert.equal((await send(port, { path: '/readyz' })).status, 200);
        assert.ok(relay.count() <= 10, `${relay.count()} connections`);
      });
  });

  it('that has dropped all idle connections fails no request: each is retried on a new connection', async (t) => {
    const own = await startOwn(t);
    const relay = await openRelay(t, own.primary.port);
    const { port, log, gateway } = await connectOn(t, relay.address(own.database));
    const path = '/v1/memories/m007';
    const askMany = () =>
      Promise.all(Array.from({ length: 10 }, () => send(port, { path, key: own.key })));
    for (let round = 0; round < sized(50, 5); round++) {
      for (const { status } of await askMany()) assert.equal(status, 200);
      relay.cutAll(); // in the same event loop turn, before the gateway notices the broken connections
      for (const { status } of await askMany()) assert.equal(status, 200);
    }
    assert.deepEqual(log, []);

    relay.weather = { isSilent: true };
    await gateway.close(); // a clean close would wait forever
    assert.equal(relay.count(), 0);
  });

  it('that breaks after the time of a read fails the request: a retry would double its longest wait', async (t) => {
    const own = await startOwn(t);
    const relay = await openRelay(t, own.primary.port);
    const address = relay.address(own.database);
    const { port, gateway } = await connectOn(t, address, { statementMs: STATEMENT_MS });
    relay.cutAll();
    while (gateway.stats().servers[0]?.connections !== 0) await sleep(20);
    let pieces = 0;
    relay.weather = { delayMs: () => (pieces++ === 0 ? 900 : 10_000) }; // connects, and then nothing
    const response = send(port, { path: '/v1/memories/m007', key: own.key });
    await sleep(1500);
    relay.weather = {};
    relay.cutAll();
    assert.equal((await response).status, 500);
    assert.equal((await send(port, { path: '/v1/memories/m007', key: own.key })).status, 200);
  });
});
