// Kills the real program at each request of a pull, and lets it continue until it is done.

import assert from 'node:assert/strict';
import { once } from 'node:events';

import { engine } from '../engines/engine.ts';
import type { World } from '../world/world.ts';
import type { FakeProduct } from './fake-product.ts';
import { startPull, type PulledSource } from './pulls.ts';

/**
 * Pulls again and again. The first run is killed at its first request, the second at its second, and
 * so on, until a run needs fewer requests than that. Returns how many runs were killed.
 */
export async function pullWithKills(
  world: World,
  product: FakeProduct,
  source: PulledSource,
): Promise<number> {
  for (let killed = 0; ; killed++) {
    const child = startPull(world, source);
    let errors = '';
    child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
    child.stdout.resume();
    product.faults.clear();
    product.faults.set(product.requests.length + killed + 1, () => child.kill('SIGKILL'));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    product.faults.clear();
    if (signal === 'SIGKILL') continue;
    assert.equal(code, 0, errors);
    return killed;
  }
}

/** How often memories of `ana` were written or deleted: the number of the latest change. */
export function writesOf(world: World): number {
  const sql = `SELECT max(seq) AS seq FROM changes WHERE account_id = 'ana'`;
  return Number(engine.edit(world.database, sql)[0]?.['seq'] ?? 0);
}
