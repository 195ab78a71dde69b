// Commands that name no database, beside the one that `start` has made in the data folder.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { dataFolder } from '../../src/cli/data-folder.ts';
import { textOf } from '../support/manual/code.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { noLoading, run, runProcess } from '../support/world/program.ts';

const REFUSED =
  'memory-gateway: There is no memory-gateway.db in this folder, but "start" has made one in your data folder; to use it, run: ';

/** Makes the database of `start`, and runs commands in an empty folder. */
async function besideStart() {
  const home = newFolder();
  const cwd = newFolder();
  const folder = join(home, 'memory-gateway');
  const started = join(folder, 'memory-gateway.db');
  mkdirSync(folder);
  assert.equal((await run(['migrate', '--database', started])).code, 0);
  const command = (...words: string[]) =>
    runProcess(words, { cwd, env: { XDG_DATA_HOME: home, HOME: home } });
  return { started, command, here: join(cwd, 'memory-gateway.db') };
}

const isLinux = process.platform === 'linux';

describe('The data folder', { skip: !isLinux && 'the folder is Linux' }, () => {
  it('is the one that the manual names, also for who removes everything', async () => {
    const folder = (await dataFolder()).replace(homedir(), '~');
    for (const path of ['docs/howto/start.md', 'docs/howto/uninstall.md'])
      assert.ok(textOf(path).includes(`\`${folder}\``), path);
  });
});

describe('a user without a home folder', { skip: noLoading }, () => {
  const system = 'import os from "node:os"; os.homedir = () => { throw new Error("ENOENT"); };';
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(system)}` };

  it('works in a folder, and is told in one sentence what "start" needs', async () => {
    const cwd = newFolder();
    const made = await runProcess(['migrate'], { cwd, env });
    assert.equal(made.code, 0, made.stderr);
    assert.ok(existsSync(join(cwd, 'memory-gateway.db')));
    assert.deepEqual(await runProcess(['start'], { cwd, env }), {
      code: 1,
      stdout: '',
      stderr: 'memory-gateway: This user has no home folder; name one in the variable HOME.\n',
    });
  });
});

describe('a command that names no database', { skip: !isLinux && 'the folder is Linux' }, () => {
  it('prints itself with the database of "start", and makes no second one', async () => {
    const { started, command, here } = await besideStart();
    for (const [words, wanted] of [
      [['search', 'the fridge'], `search --database ${started} 'the fridge'`],
      [['serve', '--migrate'], `serve --database ${started} --migrate`],
    ] as const) {
      const { code, stdout, stderr } = await command(...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `${REFUSED}memory-gateway ${wanted}\n`]);
    }
    const migrate = await command('migrate');
    assert.equal(migrate.code, 1);
    assert.match(
      migrate.stderr,
      /\nTo create another one here, run: memory-gateway migrate --database memory-gateway\.db\n$/,
    );
    assert.ok(!existsSync(here));
  });

  it('uses the one in this folder, and otherwise the one that is named', async () => {
    const { started, command, here } = await besideStart();
    const listed = await command('accounts', 'list', '--database', started);
    assert.equal(listed.code, 0, listed.stderr);
    const made = await command('migrate', '--database', 'memory-gateway.db');
    assert.equal(made.code, 0, made.stderr);
    assert.ok(existsSync(here));
    const own = await command('accounts', 'create', 'Mira');
    assert.equal(own.code, 0, own.stderr);
  });
});
