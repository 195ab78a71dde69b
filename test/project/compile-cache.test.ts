// The folder of the compile cache: where it is, and where there is none. published-program.slow.ts tests the cache itself.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { ownFolder } from '../../scripts/package/own-folder.ts';

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
