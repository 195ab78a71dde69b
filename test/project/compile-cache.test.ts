// The compile cache of the published program: where it is, and where there is none.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';

import { ownFolder } from '../../scripts/package/own-folder.ts';
import { buildProgram } from '../support/world/build.ts';
import { ROOT, run } from '../support/world/program.ts';

function createHome(t: TestContext): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'memory-gateway-home-')));
  t.after(() => rmSync(home, { recursive: true }));
  return home;
}

describe('The folder of the compile cache', () => {
  it('is created in the home, for its user alone', (t) => {
    const home = createHome(t);
    const folder = join(home, '.cache/memory-gateway');
    assert.equal(ownFolder(home), folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(ownFolder(home), folder, 'also if it exists');
  });

  for (const name of ['', '.cache', '.cache/memory-gateway'])
    it(`is not used if others can write to ${name || 'the home'}`, (t) => {
      const home = createHome(t);
      mkdirSync(join(home, '.cache/memory-gateway'), { recursive: true, mode: 0o700 });
      chmodSync(join(home, name), 0o720);
      assert.equal(ownFolder(home), undefined);
      chmodSync(join(home, name), 0o702);
      assert.equal(ownFolder(home), undefined);
      chmodSync(join(home, name), 0o755);
      assert.notEqual(ownFolder(home), undefined);
    });

  it('is not used if it is a link, whose target others may replace', (t) => {
    const home = createHome(t);
    mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(home, 'elsewhere'), join(home, '.cache'));
    assert.equal(ownFolder(home), undefined);
  });

  it('is not used without a home, or in a home that is no folder', (t) => {
    const home = createHome(t);
    writeFileSync(join(home, 'file'), '');
    for (const none of ['', '.', '/dev/null', join(home, 'file'), join(home, 'missing')])
      assert.equal(ownFolder(none), undefined, none);
    assert.ok(!existsSync(join(home, 'missing')));
  });
});

describe('The published program', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-gateway-cached-')));
  after(() => rmSync(folder, { recursive: true }));
  const script = relative(ROOT, buildProgram(join(folder, 'package')));

  /** Prints the version of the program with a home, and returns the names of its cache's folders. */
  async function version(home: string, env: Readonly<Record<string, string>> = {}) {
    const preload = join(folder, 'home.cjs');
    writeFileSync(
      preload,
      `const os = require('node:os');
       os.userInfo = () => ({ homedir: process.env.TEST_HOME });`,
    );
    const given = { NODE_COMPILE_CACHE: '', TEST_HOME: home, NODE_OPTIONS: `--require=${preload}` };
    const { code, stdout, stderr } = await run(['version'], { script, env: { ...given, ...env } });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^memory-gateway \d/);
    const cache = join(home, '.cache/memory-gateway');
    return existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : [];
  }

  it('caches its compiled code for the next start', async (t) => {
    const home = createHome(t);
    const first = await version(home);
    assert.equal(first.filter((name) => name.includes('/')).length, 1, 'the program, in one file');
    assert.deepEqual(await version(home), first);
  });

  it('caches nothing in a home that it cannot use, and runs all the same', async (t) => {
    const home = createHome(t);
    writeFileSync(join(home, '.cache'), '');
    assert.deepEqual(await version(home), []);
  });

  it('leaves it to NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE', async (t) => {
    const home = createHome(t);
    assert.deepEqual(await version(home, { NODE_COMPILE_CACHE: join(home, 'named') }), []);
    assert.notDeepEqual(readdirSync(join(home, 'named')), []);
    assert.deepEqual(await version(home, { NODE_DISABLE_COMPILE_CACHE: '1' }), []);
    assert.deepEqual(readdirSync(home), ['named']);
  });
});
