// watch over time: growing files, folders that vanish, files that end the process, and folders on other devices.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { engineOf } from '../../src/store/engines.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { noPostgres, startOwn } from '../support/engines/own-server.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { captions, createInbox, writeMany, type Watched } from '../support/world/inbox.ts';
import { noLoading, runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';

// Most of their time is waiting.
describe('A watcher', { concurrency: true }, () => {
  it('reads a file that grows when its writer is done, and not before', async (t) => {
    const inbox = await createInbox(t);
    const child = inbox.watch(['--settle', '2s']);
    const imported = waitFor(child, 'stdout', /"msg":"imported"/);
    inbox.write('2026-11-18 09.00 a.vtt', 'WEBVTT\n\n');
    for (let i = 10; i < 20; i++) {
      await sleep(400);
      const cue = `00:00:${i}.000 --> 00:00:${i}.500\nInes: Bed ${i}.\n\n`;
      appendFileSync(join(inbox.folder, '2026-11-18 09.00 a.vtt'), cue);
    }
    const log = await imported;
    assert.match(log, /"added":1,"updated":0/);
    assert.equal(await stop(child), 0);
  });

  it('waits for a folder that is not there, warns once, and then goes on', async (t) => {
    const inbox = await createInbox(t);
    writeMany(inbox, 3);
    await inbox.once();
    const child = inbox.watch();
    let log = '';
    child.stdout.on('data', (part: Buffer) => (log += part.toString()));
    await waitFor(child, 'stdout', /"msg":"watching"/);
    renameSync(inbox.folder, `${inbox.folder}-away`);
    await waitFor(child, 'stdout', /The folder is not there/);
    await sleep(3000);
    renameSync(`${inbox.folder}-away`, inbox.folder);
    await waitFor(child, 'stdout', /the folder is back/);
    inbox.write('new.vtt');
    await waitFor(child, 'stdout', /"file":"new\.vtt".*"msg":"imported"/);
    await stop(child);
    assert.equal(log.match(/The folder is not there/g)?.length, 1);
    assert.match(log, /"files":1,"added":1,"updated":0,"unchanged":0,.*"msg":"stopped"/);
  });

  it('forgets nothing when its folder is empty for a while, as an unmounted share is', async (t) => {
    const inbox = await createInbox(t);
    writeMany(inbox, 3);
    await inbox.once();
    renameSync(inbox.folder, `${inbox.folder}-away`);
    mkdirSync(inbox.folder);
    const { code, log } = await inbox.once();
    assert.equal(code, 0);
    assert.match(log, /The folder is empty, but files were read from it before/);
    rmSync(inbox.folder, { recursive: true });
    renameSync(`${inbox.folder}-away`, inbox.folder);
    assert.equal((await inbox.once()).files, 0);
  });

  it('stops in the middle of a long file, and the next run imports the rest', async (t) => {
    const inbox = await createInbox(t);
    const line = {
      name: 'Long',
      started_at: '2026-11-16T08:12:00Z',
      transcript: 'Ines: Hi. '.repeat(2000),
    };
    const lines = Array.from({ length: 5000 }, (_, i) => JSON.stringify({ id: `m${i}`, ...line }));
    inbox.write('long.jsonl', lines.join('\n'));
    const child = inbox.watch(['--settle', '0s']);
    let log = '';
    child.stdout.on('data', (part: Buffer) => (log += part.toString()));
    await waitFor(child, 'stdout', /"msg":"watching"/);
    await sleep(1500);
    assert.equal(await stop(child, 'SIGINT'), 0);
    assert.match(log, /"msg":"stopped"/);
    const { added, updated, rejected } = await inbox.once();
    assert.ok(added > 0 && updated === 0 && rejected === 0);
    assert.equal((await inbox.ids()).length, 5000);
  });

  it('waits for a locked database, and then goes on', { skip: onlyFiles }, async (t) => {
    const inbox = await createInbox(t);
    const child = inbox.watch();
    await waitFor(child, 'stdout', /"msg":"watching"/);
    await sleep(1000);
    const other = new Database(inbox.world.database);
    other.exec('BEGIN IMMEDIATE');
    inbox.write('a.vtt');
    await waitFor(child, 'stdout', /Trying again\./);
    other.exec('COMMIT');
    other.close();
    await waitFor(child, 'stdout', /"file":"a\.vtt".*"msg":"imported"/);
    assert.equal(await stop(child), 0);
  });

  it('reads again what a restore has undone', { skip: onlyFiles }, async (t) => {
    const inbox = await createInbox(t);
    const file = await engineOf(inbox.world.database).file?.();
    const backup = join(newFolder(), 'backup.db');
    const child = inbox.watch();
    inbox.write('a.vtt');
    await waitFor(child, 'stdout', /"file":"a\.vtt".*"msg":"imported"/);
    await sleep(1500); // until the session has ended
    await file?.backUp({ file: backup });
    inbox.write('b.vtt', captions('The beans are in.'));
    await waitFor(child, 'stdout', /"file":"b\.vtt".*"msg":"imported"/);
    await sleep(1500);
    await file?.restore({ file: backup, discard: true });
    inbox.write('c.vtt', captions('The peas are in.'));
    await waitFor(child, 'stdout', /"file":"b\.vtt".*"msg":"imported"/);
    assert.equal(await stop(child), 0);
    assert.deepEqual(await inbox.ids(), ['a.vtt', 'b.vtt', 'c.vtt']);
  });
});

describe('A watcher with PostgreSQL', { skip: noPostgres }, () => {
  it('waits while the server restarts, and then goes on', async (t) => {
    const { primary, database } = await startOwn(t);
    const folder = newFolder();
    const words = ['watch', folder, '--database', database, '--account', 'bo'];
    const child = startProcess([...words, '--interval', '1s', '--settle', '0s']);
    t.after(() => child.kill('SIGKILL'));
    await waitFor(child, 'stdout', /"msg":"watching"/);
    writeFileSync(join(folder, 'a.vtt'), captions('The beans are in.'));
    await waitFor(child, 'stdout', /"file":"a\.vtt".*"msg":"imported"/);
    await primary.stop();
    writeFileSync(join(folder, 'b.vtt'), captions('The peas are in.'));
    await waitFor(child, 'stdout', /Trying again\./);
    await primary.start();
    await waitFor(child, 'stdout', /"file":"b\.vtt".*"msg":"imported"/);
    assert.equal(await stop(child), 0);
  });
});

describe('A file whose reading ends the process', () => {
  it(
    'keeps no other file out, and is rejected when it has done so alone',
    { skip: noLoading },
    async (t) => {
      const inbox = await createInbox(t);
      const words = [
        'watch',
        inbox.folder,
        '--database',
        inbox.world.database,
        '--account',
        'mira',
      ];
      const look = (env: Readonly<Record<string, string>> = {}) =>
        runProcess([...words, '--once', '--json', '--settle', '0s', '--move'], { env });
      const killer = `
      import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      const { open } = fs;
      fs.open = (path, ...more) =>
        String(path).endsWith('/b.vtt') ? process.kill(process.pid, 'SIGKILL') : open(path, ...more);
      syncBuiltinESMExports();`;
      const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(killer)}` };
      // With the same text and time, they would be one recording that was renamed.
      for (const name of ['a.vtt', 'b.vtt', 'c.vtt']) inbox.write(name, captions(`In ${name}.`));
      // At first it is one of several. Then each of them is read alone, and this one behind all others.
      for (const expected of [[], ['a.vtt', 'd.vtt'], ['a.vtt', 'c.vtt', 'd.vtt']]) {
        assert.equal((await look(env)).code, null, 'killed');
        const ids = await inbox.ids();
        assert.deepEqual(
          expected.filter((id) => !ids.includes(id)),
          [],
        );
        inbox.write('d.vtt');
      }
      const { code, stdout } = await look();
      assert.equal(code, 1);
      const [reject] = (JSON.parse(stdout) as Watched).rejects;
      assert.match(
        reject?.reason ?? '',
        /^b\.vtt: this program ended each time that it read this file;/,
      );
      assert.ok(inbox.files().includes('rejected/b.vtt'));
      inbox.rename('rejected/b.vtt', 'b.vtt');
      assert.equal((JSON.parse((await look()).stdout) as Watched).added, 1, 'put back, it is read');
    },
  );
});

describe('A rejected file', () => {
  it('is moved to a folder on another device', { skip: noMounts() }, async (t) => {
    const inbox = await createInbox(t);
    const away = mkdtempSync('/dev/shm/memory-gateway-test-');
    t.after(() => rmSync(away, { recursive: true }));
    const rejected = join(inbox.folder, 'rejected');
    mkdirSync(rejected);
    inbox.write('team/a.json', '{"a":');
    const { mtimeMs } = statSync(join(inbox.folder, 'team/a.json'));
    const words = ['watch', inbox.folder, '--database', inbox.world.database, '--account', 'mira'];
    const mount = ['unshare', '-rm', 'sh', '-c', 'mount --bind "$0" "$1" && shift && exec "$@"'];
    const { stdout } = await runProcess(
      [...words, '--once', '--json', '--settle', '0s', '--move'],
      {
        under: [...mount, away, rejected],
      },
    );
    assert.equal((JSON.parse(stdout) as { moved: number }).moved, 1);
    assert.equal(readFileSync(join(away, 'team/a.json'), 'utf8'), '{"a":');
    assert.ok(Math.abs(statSync(join(away, 'team/a.json')).mtimeMs - mtimeMs) < 1);
    assert.deepEqual(
      readdirSync(join(away, 'team')),
      ['a.json', 'a.json.txt'],
      'no temporary file',
    );
    assert.deepEqual(inbox.files(), []);
  });

  it('stays, with a warning, if it cannot be moved', async (t) => {
    const inbox = await createInbox(t);
    writeFileSync(join(inbox.folder, 'rejected'), 'a file in the way');
    inbox.write('a.json', '{"a":');
    const { code, moved, log } = await inbox.once('--move');
    assert.deepEqual([code, moved], [1, 0]);
    assert.match(log, /rejected; it could not be moved to rejected/);
    assert.deepEqual(inbox.files(), ['a.json', 'rejected']);
  });

  it('is tried again when its rights change', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.json', '{"a":');
    await inbox.once();
    chmodSync(join(inbox.folder, 'a.json'), 0o640);
    assert.equal((await inbox.once()).rejected, 1);
  });
});

function noMounts(): string | false {
  const hasShm = statSync('/dev/shm', { throwIfNoEntry: false }) !== undefined;
  const { status } = spawnSync('unshare', ['-rm', 'true']);
  return hasShm && status === 0 ? false : 'needs unshare and a second file system';
}
