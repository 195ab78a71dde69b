// An import that is killed: the database is whole at every instant, and a second run finishes the work.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { migrate, withWriter } from '../../src/store/writer.ts';
import { sized, tell } from '../support/faults.ts';
import { newFolder } from '../support/left.ts';
import { run, start, stop } from '../support/program.ts';
import { memories } from '../support/world.ts';

const KILLS = sized(100, 10);
const LANES = 2;
const KILLS_A_FILE = 5;
const MEMORIES = 3000;

const folder = newFolder();
const empty = join(folder, 'empty.db');
const lines = join(folder, 'lines.jsonl');
const list = memories(MEMORIES, 1500).map((each) => ({ ...each, user_id: 'ana' }));

/** Asserts that a database is whole, and has of the import what whole batches left; returns how much. */
function assertWhole(path: string): number {
  const db = new Database(path);
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(db.pragma('foreign_key_check'), []);
    db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    const bodies = db.prepare<[], Buffer>('SELECT body FROM memories ORDER BY started_at').pluck();
    const there = bodies.all().map(String);
    const expected = list.slice(0, there.length).map((each) => JSON.stringify(each));
    assert.deepEqual(there, expected, 'the first of them, each whole');
    assert.ok(there.length % 500 === 0, `${there.length}: batches are whole or not there`);
    const count = db.prepare<[], number>('SELECT count(*) FROM changes').pluck().get();
    assert.equal(count, there.length, 'a change for each');
    return there.length;
  } finally {
    db.close();
  }
}

type Child = ReturnType<typeof start>;

/** Waits until the log of writes beside a file grows, or there is nothing to write. */
async function firstWrite(child: Child, path: string): Promise<void> {
  const size = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  for (const before = size(); size() <= before && child.exitCode === null;) await sleep(2);
}

/** How long an import takes until it writes, and from then on. */
interface Spans {
  readonly before: number;
  readonly after: number;
}

async function measure(path: string): Promise<Spans> {
  copyFileSync(empty, path);
  const began = performance.now();
  const child = start(['import', lines, '--database', path]);
  await firstWrite(child, path);
  const wrote = performance.now();
  assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 0);
  return { before: wrote - began, after: performance.now() - wrote };
}

/** Kills imports into one file, then lets one end; returns how far the kills let it come. */
async function killAndFinish(name: string, { before, after }: Spans): Promise<number[]> {
  const path = join(folder, name);
  copyFileSync(empty, path);
  const came: number[] = [];
  for (let i = 0; i < KILLS_A_FILE; i++) {
    const child = start(['import', lines, '--database', path]);
    // While it writes, which it does but a part of the time; else at any time.
    const isWriting = i % 2 === 0;
    if (isWriting) await firstWrite(child, path);
    await sleep(Math.random() * (isWriting ? after : before + after));
    await stop(child, 'SIGKILL');
    came.push(assertWhole(path));
  }
  const { code, stderr } = await run(['import', lines, '--database', path]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(assertWhole(path), MEMORIES, 'all bytes are those of a run that nobody disturbed');
  return came;
}

describe('An import', () => {
  it(`is whole after each of ${KILLS} kills at random instants, and finished by a second run`, async (t) => {
    migrate(empty);
    withWriter(empty, ({ accounts }) =>
      accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' }),
    );
    writeFileSync(lines, list.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const undisturbed = join(folder, 'undisturbed.db');
    const spans = await measure(undisturbed);
    assert.equal(assertWhole(undisturbed), MEMORIES);

    let chains = KILLS / KILLS_A_FILE;
    const came: number[] = [];
    const lane = async () => {
      while (chains > 0) came.push(...(await killAndFinish(`${--chains}.db`, spans)));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    assert.equal(came.length, KILLS);
    const within = came.filter((count) => count > 0 && count < MEMORIES).length;
    tell(t, { kills: KILLS, 'amid an import': within });
    assert.ok(within > 0);
  });
});
