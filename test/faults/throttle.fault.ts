// 100,000 addresses try wrong keys: memory and log stay small, and valid keys get responses.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';

import { tell } from '../support/damage/trial.ts';
import { GAUGED, gauge, megabytes, noGauges } from '../support/processes/process-usage.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const ADDRESSES = sized(100_000, 24_000);
const AT_ONCE = 50;

/**
 * Sends wrong keys through a proxy that names another address each time. Returns the number of
 * responses by status.
 */
async function flood(port: number, from: number, to: number): Promise<Record<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses: Record<number, number> = {};
  const askOne = (i: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const address = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    const headers = { 'x-forwarded-for': address, 'x-api-key': `mem_${i}` };
    const sent = request({ port, host: '127.0.0.1', path: '/v1/memories', headers, agent });
    sent.on('error', reject).on('response', (answer) => {
      const { statusCode = 0 } = answer;
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      answer.resume().on('end', resolve);
    });
    sent.end();
    return promise;
  };
  let next = from;
  const askOn = async () => {
    while (next < to) await askOne(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  agent.destroy();
  return statuses;
}

async function serve(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(3));
  const options = ['--throttle', '5', '--proxy', '127.0.0.1'];
  return { key, ...(await serveAlone(t, world.database, options, { env: GAUGED })) };
}

/**
 * The second half may keep this much memory: failures of the addresses that are remembered at once.
 */
const KEPT = 25e6;

describe('Wrong keys from many addresses', { skip: noGauges }, () => {
  it('take no memory and no log, and lock no other client out', async (t) => {
    const { key, child, port, lines } = await serve(t);
    const half = ADDRESSES / 2;
    assert.deepEqual(await flood(port, 0, half), { 401: half });
    const before = await gauge(child);
    assert.deepEqual(await flood(port, half, ADDRESSES), { 401: half });
    const after = await gauge(child);

    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const status = async (given?: string) => (await send(port, { key: given, headers })).status;
    assert.equal(await status(key), 200);
    for (let i = 0; i < 5; i++) assert.equal(await status(), 401);
    assert.equal(await status(key), 429);
    assert.equal(await stop(child), 0);
    assert.deepEqual(
      lines().map(({ msg }) => msg),
      ['listening', 'stopping', 'stopped'],
    );
    tell(t, {
      addresses: ADDRESSES,
      heap: [before, after].map(({ heap }) => megabytes(heap)).join(' → '),
      memory: [before, after].map(({ rss }) => megabytes(rss)).join(' → '),
    });
    // Compares the collected heap. Resident memory includes garbage that is not collected yet.
    assert.ok(after.heap < before.heap + KEPT, 'no memory is kept for each address');
  });
});
