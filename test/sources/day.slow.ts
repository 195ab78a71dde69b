// A day in short: a watched folder, a product and another gateway are imported while the API is served, and all are killed.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { writesOf } from '../support/sources/kills.ts';
import { createLimitless, lifelog } from '../support/sources/lifelogs.ts';
import { memoriesOf, pull, startPull } from '../support/sources/pulls.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { captions } from '../support/world/inbox.ts';
import { runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const HOURS = 12;
/** The hours in which each program is killed. */
const KILLS = { watch: [3, 8], pulls: [4, 9], server: [5, 10] };

describe('A day of imports', () => {
  it('loses and duplicates nothing, though every program is killed twice', async (t) => {
    const [there, here] = [await createWorld(t), await createWorld(t)];
    const gateway = {
      name: 'gateway',
      url: there.url,
      secret: there.addAccount('ana', memories(60)),
    };
    const { product, source: limitless, lifelogs } = await createLimitless(t, []);
    const key = here.addAccount('ana');
    const folder = join(newFolder(), 'inbox');
    mkdirSync(folder);
    const watchArgs = ['watch', folder, '--account', 'ana', '--database', here.database];

    const startWatch = async () => {
      const child = startProcess([...watchArgs, '--interval', '1s', '--settle', '1s']);
      t.after(() => child.kill('SIGKILL'));
      await waitFor(child, 'stdout', /"msg":"watching"/);
      child.stdout.resume();
      return child;
    };
    const startServer = async () => {
      const child = startProcess(['serve', '--database', here.database, '--port', '0']);
      t.after(() => child.kill('SIGKILL'));
      const said = await waitFor(child, 'stdout', /"msg":"listening"/);
      child.stdout.resume();
      return { child, url: /"url":"([^"]+)"/.exec(said)?.[1] ?? '' };
    };
    const killPull = async (name: typeof gateway | typeof limitless) => {
      const child = startPull(here, name);
      child.stdout.resume();
      await sleep(300);
      await stop(child, 'SIGKILL');
    };

    let watch = await startWatch();
    let server = await startServer();
    assert.equal((await pull(here, gateway)).code, 0);
    const files: string[] = [];
    for (let hour = 1; hour <= HOURS; hour++) {
      for (const part of ['a', 'b']) {
        const name = `2026-11-18 ${String(hour).padStart(2, '0')}00 ${part}.vtt`;
        writeFileSync(join(folder, name), captions(`Of hour ${hour}, part ${part}.`));
        files.push(name.replaceAll(' ', '~20'));
      }
      there.writer.memories.put('ana', memory({ id: `new-${hour}`, name: `Hour ${hour}` }));
      there.writer.memories.delete('ana', `m${String(hour).padStart(3, '0')}`);
      lifelogs.push(lifelog(`walk-${hour}`, `2026-11-18T${String(hour).padStart(2, '0')}:30:00Z`));
      if (KILLS.watch.includes(hour)) {
        await stop(watch, 'SIGKILL');
        watch = await startWatch();
      }
      if (KILLS.server.includes(hour)) {
        await stop(server.child, 'SIGKILL');
        server = await startServer();
      }
      if (KILLS.pulls.includes(hour)) await Promise.all([killPull(gateway), killPull(limitless)]);
      const pulled = await Promise.all([pull(here, gateway), pull(here, limitless)]);
      for (const { code, stderr } of pulled) assert.equal(code, 0, stderr);
      const response = await fetch(`${server.url}/v1/memories`, { headers: { 'x-api-key': key } });
      const list = (await response.json()) as Memory[];
      assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
    }
    await stop(watch);
    assert.equal((await runProcess([...watchArgs, '--once', '--settle', '0s'])).code, 0);
    await Promise.all([pull(here, gateway), pull(here, limitless)]);

    const got = await memoriesOf(here);
    const upstream = await memoriesOf(there);
    const expected = [...files, ...upstream.keys(), ...lifelogs.map(({ id }) => id)];
    assert.deepEqual([...got.keys()].toSorted(), expected.toSorted());
    for (const [id, text] of upstream) assert.equal(got.get(id), text);
    // Each memory was written once, and each deleted one was deleted once.
    assert.equal(writesOf(here), 60 + files.length + HOURS + lifelogs.length + HOURS);
    assert.ok(product.requests.length > 2 * HOURS);
  });
});
