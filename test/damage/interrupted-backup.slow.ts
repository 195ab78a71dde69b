// Interrupted backups and exports: a signal removes their temporary files, and the next run removes what a crash left.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess } from '../support/world/program.ts';
import { memories } from '../support/world/world.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Commands that write a large file or folder, by the name of their target. */
const commands = [
  ['backup.db', (to: string) => ['backup', to]],
  ['all.jsonl', (to: string) => ['export', '--output', to]],
  ['notes', (to: string) => ['export', '--format', 'markdown', '--output', to]],
] as const;

/** A database that takes a while to back up, and an empty folder for the backups. */
function createLarge(): { database: string; folder: string } {
  const folder = newFolder();
  const database = join(folder, 'memories.db');
  createDatabase(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.putAll('ana', memories(1500, 8000));
  });
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  return { database, folder: backups };
}

/** Starts a command and ends it by a signal as soon as its temporary file has bytes. */
async function interrupt(args: readonly string[], folder: string, signal: NodeJS.Signals) {
  const child = startProcess(args);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  while (readdirSync(folder).length === 0 && child.exitCode === null) await sleep(2);
  child.kill(signal);
  return (await closed)[1];
}

describe('A backup or an export that is interrupted', () => {
  const { database, folder } = createLarge();
  for (const [name, wordsOf] of commands) {
    const words = [...wordsOf(join(folder, name)), '--database', database];

    for (const signal of name === 'backup.db' ? SIGNALS : SIGNALS.slice(0, 1))
      it(`to ${name} leaves nothing after ${signal}`, async () => {
        assert.equal(await interrupt(words, folder, signal), signal);
        assert.deepEqual(readdirSync(folder), []);
      });

    it(`to ${name} leaves a temporary file after SIGKILL, which the next run removes`, async (t: TestContext) => {
      assert.equal(await interrupt(words, folder, 'SIGKILL'), 'SIGKILL');
      const left = readdirSync(folder);
      assert.ok(
        left.length > 0 && !left.includes(name),
        'nothing has the name before it is complete',
      );
      const other = join(folder, `other.${left[0]?.split('.').at(-3)}.0c7e3a91.new`);
      writeFileSync(other, 'of another target');
      const { code, stderr } = await runProcess(words);
      assert.equal(code, 0, stderr);
      t.after(() =>
        [join(folder, name), other].forEach((each) => rmSync(each, { recursive: true })),
      );
      assert.deepEqual(new Set(readdirSync(folder)), new Set([name, other.replace(/.*\//, '')]));
    });
  }

  it('leaves the temporary file of a run that goes on, and of an unknown process for half a day', async () => {
    const target = join(folder, 'memories.bak.db');
    const unknown = `${target}.0c7e3a91.new`;
    const old = `${target}.1c7e3a91.new`;
    for (const path of [unknown, old]) writeFileSync(path, '');
    utimesSync(old, new Date(), Date.now() / 1000 - 13 * 3600);
    const words = ['backup', target, '--overwrite', '--database', database];
    const child = startProcess(words);
    while (readdirSync(folder).length < 3 && child.exitCode === null) await sleep(2);
    child.kill('SIGSTOP');
    const { code, stderr } = await runProcess(words);
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(unknown) && !existsSync(old));
    const closed = once(child, 'close');
    child.kill('SIGCONT');
    assert.deepEqual(await closed, [0, null]);
  });

  it('is found by doctor next to the database, while a running one is not', async () => {
    const near = join(dirname(database), 'near.db');
    const words = ['backup', near, '--database', database];
    const before = new Set(readdirSync(dirname(database)));
    const isNew = (name: string) => !before.has(name) && name.includes('.new');
    const child = startProcess(words);
    const newNames = () => readdirSync(dirname(database)).filter(isNew);
    while (newNames().length === 0 && child.exitCode === null) await sleep(2);
    child.kill('SIGSTOP');
    const [name = ''] = newNames();
    const path = join(dirname(database), name);
    utimesSync(path, new Date(), Date.now() / 1000 - 3700);
    const running = await runProcess(['doctor', '--database', database]);
    assert.doesNotMatch(running.stdout, /temporary file/);
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    const killed = await runProcess(['doctor', '--database', database]);
    assert.match(killed.stdout, new RegExp(`temporary file; remove it with: rm -r .*${name}`));
  });
});
