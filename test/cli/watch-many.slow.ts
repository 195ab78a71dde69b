// watch with many files: several watchers, kills, and the memory that a large folder takes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createInbox, writeMany, type Inbox } from '../support/world/inbox.ts';
import { stop, waitFor } from '../support/world/program.ts';
import { randomBy } from '../support/world/random.ts';
import { sized } from '../support/world/thorough.ts';

describe('A folder that is watched twice', () => {
  it('gives each file once, and moves each rejected file once', async (t) => {
    const inbox = await createInbox(t);
    const ids = writeMany(inbox, 150);
    for (let i = 0; i < 20; i++) inbox.write(`bad${i}.json`, '{"a":');
    const watchers = [inbox.watch(['--move']), inbox.watch(['--move'])];
    await waitForIds(inbox, 150);
    while (
      inbox
        .files()
        .filter((name) => name.endsWith('.json'))
        .some((name) => !name.includes('/'))
    )
      await sleep(200);
    for (const child of watchers) assert.equal(await stop(child), 0);
    assert.deepEqual(await inbox.ids(), ids);
    const bad = inbox.files().filter((name) => name.endsWith('.json'));
    // While one watcher moves a file, its name is taken for the other one, which may still be faster.
    const moved = bad.map((name) => name.replace(' (2).json', '.json')).toSorted();
    const all = Array.from({ length: 20 }, (_, i) => `rejected/bad${i}.json`).toSorted();
    assert.deepEqual(moved, all);
    for (const name of bad) assert.equal(readFileSync(join(inbox.folder, name), 'utf8'), '{"a":');
    assert.equal((await inbox.once('--move')).files, 0);
  });
});

describe('A watcher that is killed', () => {
  it('loses and duplicates nothing, whenever that happens', { timeout: 300_000 }, async (t) => {
    const inbox = await createInbox(t);
    const seed = Date.now() % 1e6;
    t.diagnostic(`seed ${seed}`);
    const random = randomBy(seed);
    const ids = writeMany(inbox, sized(1200, 600));
    for (let i = 0; i < 100; i++) inbox.write(`bad${i}.json`, `{"a": ${i}`);
    for (let kills = 0; kills < sized(12, 4); kills++) {
      const child = inbox.watch(['--move', '--settle', '0s']);
      await waitFor(child, 'stdout', /"msg":"watching"/);
      await sleep(random() % 1200);
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }
    await inbox.once('--move');
    const { files } = await inbox.once('--move');
    assert.equal(files, 0);
    assert.deepEqual(await inbox.ids(), ids);
    const bad = inbox.files().filter((name) => name.endsWith('.json'));
    const texts = bad.map((name) => readFileSync(join(inbox.folder, name), 'utf8'));
    assert.deepEqual(new Set(texts), new Set(Array.from({ length: 100 }, (_, i) => `{"a": ${i}`)));
    assert.equal(bad.length, 100);
    for (const name of bad) assert.ok(inbox.files().includes(`${name}.txt`), name);
  });
});

const MANY = sized(10_000, 2000);
const FEW = 500;

describe(`A folder of ${MANY} files`, () => {
  it(
    'takes as much memory as a small one, and the second look opens none',
    { timeout: 300_000 },
    async (t) => {
      const inbox = await createInbox(t);
      // Uncollected garbage counts as memory, so a heap that is hardly larger than needed leaves little room for it.
      // Most of what the large folder takes more is the page cache of SQLite, which has 32 MiB at most.
      const env = { NODE_OPTIONS: '--max-old-space-size=40 --max-semi-space-size=1' };
      const peakOf = async (files: number) => {
        const child = inbox.watch(['--settle', '0s'], { env });
        child.stdout.resume();
        const ended = once(child, 'exit').then(() => assert.fail('the heap was too small'));
        await Promise.race([ended, waitForIds(inbox, files)]);
        ended.catch(() => {}); // from now on it may end
        const peak = peakMemory(child.pid);
        await stop(child);
        return peak;
      };
      writeMany(inbox, FEW);
      const little = await peakOf(FEW);
      for (let i = 0; i < 10; i++) writeMany(inbox, (MANY - FEW) / 10, String(i));
      const since = performance.now();
      const much = await peakOf(MANY);
      t.diagnostic(
        `${Math.round((performance.now() - since) / 1000)} s, ${little} MB, then ${much} MB`,
      );
      assert.ok(much - little < 40, `${little} MB, then ${much} MB`);
      assert.equal((await inbox.once()).files, 0);
    },
  );
});

function peakMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
}

async function waitForIds(inbox: Inbox, count: number): Promise<void> {
  while (inbox.world.writer.memories.count('mira') < count) await sleep(200);
}
