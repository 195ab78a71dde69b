// reread: memories are made again from their originals.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { readDetails } from '../support/world/details.ts';
import { ROOT, run, startProcess } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const START = '2026-11-18T09:00:00Z';

const TALK = `WEBVTT

00:00:01.000 --> 00:00:03.000
<v Mira>Milk.

00:00:03.000 --> 00:00:05.000
<v Henrik>Oat milk.
`;

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, writer, gateway } = world;
  world.addAccount('ana', []);
  const api = gateway.as('ana');
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--database', database]);
    return { code, out: stdout + stderr };
  };
  const folder = newFolder();
  writeFileSync(join(folder, 'talk.vtt'), TALK);
  return {
    api,
    call,
    writer,
    database,
    folder,
    rows: (sql: string) => engine.edit(database, sql),
    importTalk: () =>
      call('import', join(folder, 'talk.vtt'), '--started-at', '2026-11-18T09:00:00Z'),
    state: async () => ({
      memory: await api.memories.get({ memory_id: 'talk.vtt' }),
      details: await api.memories.details({ memory_id: 'talk.vtt' }),
    }),
    feed: () => engine.edit(database, 'SELECT seq FROM changes ORDER BY seq'),
  };
}

/** Stores the memory as a worse importer would have made it. */
async function spoil({ writer, state }: Awaited<ReturnType<typeof createAna>>): Promise<void> {
  const { memory: stored } = await state();
  const worse = { ...stored, transcript: 'Milk.\nOat milk.', name: 'Worse' };
  // Of a part, so the details and the original stay.
  const part = { read: readDetails(), yields: 'always' as const };
  writer.memories.putReady([prepareMemory('ana', worse, part)]);
}

describe('A memory that is made again', () => {
  it('is what the importer of today makes of its original, with its id', async (t) => {
    const ana = await createAna(t);
    await ana.importTalk();
    const before = await ana.state();
    await spoil(ana);
    assert.equal((await ana.state()).memory.name, 'Worse');
    const dry = await ana.call('reread', '--dry-run');
    assert.deepEqual(dry, {
      code: 0,
      out: '1 original read again: 1 would be updated, 0 unchanged, 0 failed.\n  talk.vtt: name, transcript\n',
    });
    assert.equal((await ana.state()).memory.name, 'Worse');
    assert.match((await ana.call('reread')).out, /^1 original read again: 1 updated,/);
    assert.deepEqual(await ana.state(), before);
  });

  it('is not written if it comes out equal', async (t) => {
    const ana = await createAna(t);
    await ana.importTalk();
    const [before, feed] = [await ana.state(), ana.feed()];
    const { out } = await ana.call('reread', '--json');
    assert.deepEqual(JSON.parse(out), {
      dry_run: false,
      updated: 0,
      unchanged: 1,
      failed: 0,
      changes: [],
      failures: [],
    });
    assert.deepEqual([await ana.state(), ana.feed()], [before, feed]);
  });

  it('keeps its edits', async (t) => {
    const ana = await createAna(t);
    await ana.importTalk();
    await ana.call('edit', 'talk.vtt', '--speaker', 'Mira=Ann', '--name', 'Shopping');
    const before = await ana.state();
    assert.match((await ana.call('reread')).out, /1 unchanged/);
    assert.deepEqual(await ana.state(), before);
    assert.match(before.memory.transcript, /^Ann: Milk/);
  });

  it('stays as it is if its original is damaged, and says so', async (t) => {
    const ana = await createAna(t);
    await ana.importTalk();
    const before = await ana.state();
    ana.rows(`UPDATE originals SET bytes = 1`);
    const { code, out } = await ana.call('reread');
    assert.equal(code, 1);
    assert.match(
      out,
      /Memory talk\.vtt stays as it is: its original is damaged; "verify" finds it\.\n/,
    );
    assert.match(out, /0 updated, 0 unchanged, 1 failed\.\n/);
    assert.deepEqual((await ana.state()).memory, before.memory);
  });

  it('is whole after a kill: some batches are made again, and the next run does the rest', async (t) => {
    const { rows, call, writer, database } = await createAna(t);
    const COUNT = 600;
    const reading = JSON.stringify({ name: 'a.vtt', full_name: 'a.vtt', started_at: START });
    const original = { media_type: 'text/vtt', bytes: Buffer.from(TALK), reading };
    const source = { product: null, format: 'vtt', id: null, url: null };
    const given = { read: readDetails({ source }), original };
    for (let n = 0; n < COUNT; n += 100)
      writer.memories.putReady(
        Array.from({ length: 100 }, (_, i) =>
          prepareMemory('ana', memory({ id: `m${n + i}`, name: 'Worse' }), given),
        ),
      );
    const worse = () =>
      Number(rows(`SELECT count(*) AS n FROM memories WHERE name = 'Worse'`)[0]?.['n']);
    const child = startProcess(['reread', '--database', database]);
    child.stdout.resume();
    child.stderr.resume();
    while (worse() === COUNT && child.exitCode === null) await delay(2);
    child.kill('SIGKILL');
    if (child.signalCode === null && child.exitCode === null) await once(child, 'close');
    const left = worse();
    assert.ok(left < COUNT && left % 200 === 0, `${left} are left`); // whole transactions
    assert.equal((await call('verify')).code, 0);
    const { out } = await call('reread');
    assert.match(out, new RegExp(`: ${left} updated, ${COUNT - left} unchanged`));
    assert.deepEqual([worse(), (await call('verify')).code], [0, 0]);
    assert.equal(rows('SELECT id FROM memories').length, COUNT);
  });

  it('is of the wanted format and account', async (t) => {
    const ana = await createAna(t);
    await ana.importTalk();
    assert.match((await ana.call('reread', '--format', 'omi')).out, /^0 originals read again/);
    assert.match((await ana.call('reread', '--account', 'Account ana')).out, /^1 original read/);
    assert.match((await ana.call('reread', '--format', 'x')).out, /--format takes .*, not "x"\./);
  });
});

describe('Samples of every format', () => {
  it('come out equal when they are read again', async (t) => {
    const ana = await createAna(t);
    const samples = globSync('fixtures/samples/*', { cwd: ROOT }).map((name) => join(ROOT, name));
    assert.ok(samples.length > 10);
    await ana.call('import', ...samples, '--emails', 'keep', '--without-transcript');
    const feed = ana.feed();
    const { out } = await ana.call('reread', '--json');
    const { updated, unchanged, changes, failures } = JSON.parse(out) as {
      updated: number;
      unchanged: number;
      changes: unknown[];
      failures: unknown[];
    };
    assert.deepEqual([updated, changes, failures], [0, [], []]);
    assert.ok(unchanged > 20, String(unchanged));
    assert.deepEqual(ana.feed(), feed);
  });
});
