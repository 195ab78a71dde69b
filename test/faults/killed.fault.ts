// An import that is killed at any instant leaves a healthy database, and a second import completes it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { createDatabase, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { tell } from '../support/damage/trial.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { memories } from '../support/world/world.ts';

const KILLS = sized(100, 10);
const LANES = 2;
const KILLS_A_FILE = 5;
const MEMORIES = 3000;

const folder = newFolder();
const empty = join(folder, 'empty.db');
const lines = join(folder, 'lines.jsonl');
const list = memories(MEMORIES, 1500).map((each) => ({ ...each, user_id: 'ana' }));
const texts = list.map((each) => `${JSON.stringify(each)}\n`);

/**
 * Asserts that a database is healthy and contains whole batches of the import. Returns the number
 * of memories.
 */
function assertWhole(path: string): number {
  const db = new Database(path);
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(db.pragma('foreign_key_check'), []);
    db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    const bodies = db.prepare<[], Buffer>('SELECT body FROM memories ORDER BY started_at').pluck();
    const there = bodies.all().map(String);
    const expected = list.slice(0, there.length).map((each) => JSON.stringify(each));
    assert.deepEqual(there, expected, 'the first memories of the file, each complete');
    assert.ok(there.length % 500 === 0, `${there.length}: only whole batches`);
    const count = db.prepare<[], number>('SELECT count(*) FROM changes').pluck().get();
    assert.equal(count, there.length, 'one change for each memory');
    return there.length;
  } finally {
    db.close();
  }
}

/** Counts the memories of a database that another process may be writing. */
function countOf(path: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], number>('SELECT count(*) FROM memories').pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

type Child = ReturnType<typeof startProcess>;

/** Waits until the write-ahead log beside a file grows, or nothing is left to write. */
async function firstWrite(child: Child, path: string): Promise<void> {
  const size = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  for (const before = size(); size() <= before && child.exitCode === null;) await sleep(2);
}

/** Measures how long an import takes until its first write, and from then on. */
interface Spans {
  readonly before: number;
  readonly after: number;
}

async function measure(path: string): Promise<Spans> {
  copyFileSync(empty, path);
  const began = performance.now();
  const child = startProcess(['import', lines, '--database', path]);
  await firstWrite(child, path);
  const wrote = performance.now();
  assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 0);
  return { before: wrote - began, after: performance.now() - wrote };
}

/**
 * Kills an import that has written a batch and waits for more input, so the kill hits it between
 * batches on any machine.
 */
async function killAmid(path: string): Promise<number> {
  const child = startProcess(['import', '-', '--database', path]);
  child.stdin.on('error', () => {});
  child.stdin.write(texts.slice(0, MEMORIES / 2).join(''));
  await firstWrite(child, path);
  while (child.exitCode === null && countOf(path) === 0) await sleep(2);
  await sleep(Math.random() * 20);
  await stop(child, 'SIGKILL');
  return assertWhole(path);
}

/**
 * Kills imports into one file, then lets one finish. Returns the number of memories after each
 * kill.
 */
async function killAndFinish(name: string, { before, after }: Spans): Promise<number[]> {
  const path = join(folder, name);
  copyFileSync(empty, path);
  const came = [await killAmid(path)];
  for (let i = 1; i < KILLS_A_FILE; i++) {
    const child = startProcess(['import', lines, '--database', path]);
    // Half of the kills come at a write, because an import writes only part of the time. The others
    // come at any time.
    const isWriting = i % 2 === 1;
    if (isWriting) await firstWrite(child, path);
    await sleep(Math.random() * (isWriting ? after : before + after));
    await stop(child, 'SIGKILL');
    came.push(assertWhole(path));
  }
  const { code, stderr } = await runProcess(['import', lines, '--database', path]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(assertWhole(path), MEMORIES, 'the database equals that of an undisturbed import');
  return came;
}

describe('An import', () => {
  it(`leaves a healthy database after each of ${KILLS} kills at random instants, and a second run completes it`, async (t) => {
    createDatabase(empty);
    withFileWriterSync(empty, ({ accounts }) =>
      accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' }),
    );
    writeFileSync(lines, texts.join(''));
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
    tell(t, { kills: KILLS, 'during an import': within });
    assert.ok(
      within >= KILLS / KILLS_A_FILE,
      'at least the first kill of each file hit the import',
    );
  });
});
